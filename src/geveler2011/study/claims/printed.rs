//! Tables 2 to 4 as printed, and the numbers derived from them.
//!
//! Numberings are in the order of [`Numbering::ALL`], elements Q1, Q2.

use super::levels::counts;
use crate::geveler2011::{Element, Numbering, Setup};

/// A number each for one core, for four, and for the GPU.
pub type Processors = [f64; 3];

/// The levels of Tables 2 and 3.
pub const LEVELS: [[usize; 4]; 2] = [[7, 8, 9, 10], [6, 7, 8, 9]];

/// MFlop/s of a product, by numbering, element (a line each) and level.
#[rustfmt::skip]
pub const TABLE_2: [[[Processors; 4]; 2]; 5] = [
    [[[870.81, 2445.06, 7441.65], [672.14, 1163.98, 8411.42], [506.85, 988.19, 7928.9], [426.81, 855.99, 7925.34]],
     [[492.0, 894.0, 7985.0], [467.0, 612.0, 8527.0], [358.0, 569.0, 7942.0], [323.0, 528.0, 7680.0]]],
    [[[790.0, 2897.0, 7247.0], [685.0, 1268.0, 8459.0], [445.0, 1187.0, 7539.0], [399.0, 1120.0, 7314.0]],
     [[479.0, 933.0, 6168.0], [458.0, 883.0, 7035.0], [289.0, 802.0, 6470.0], [262.0, 743.0, 6288.0]]],
    [[[842.0, 3299.0, 8506.0], [760.0, 1344.0, 10403.0], [504.0, 1369.0, 11007.0], [494.0, 1372.0, 11176.0]],
     [[500.0, 1096.0, 6706.0], [491.0, 950.0, 7677.0], [334.0, 897.0, 7911.0], [330.0, 836.0, 8074.0]]],
    [[[697.0, 2048.0, 5880.0], [497.0, 981.0, 4257.0], [348.0, 843.0, 2628.0], [224.0, 443.0, 1794.0]],
     [[416.0, 841.0, 5057.0], [346.0, 787.0, 3820.0], [244.0, 590.0, 2468.0], [160.0, 366.0, 1689.0]]],
    [[[809.0, 3148.0, 8049.0], [738.0, 1313.0, 9726.0], [471.0, 1345.0, 10342.0], [465.0, 1331.0, 10553.0]],
     [[487.0, 911.0, 6454.0], [482.0, 852.0, 7465.0], [300.0, 836.0, 7776.0], [299.0, 782.0, 7903.0]]],
];

/// Seconds of a solve of CIRCLE, in the same order.
#[rustfmt::skip]
pub const TABLE_3: [[[Processors; 4]; 2]; 5] = [
    [[[0.17, 0.16, 0.08], [0.75, 0.62, 0.14], [3.87, 2.63, 0.38], [18.46, 10.02, 1.27]],
     [[0.6, 0.53, 0.16], [2.58, 2.08, 0.34], [11.99, 8.65, 0.91], [56.72, 33.72, 3.22]]],
    [[[0.2, 0.62, 0.14], [1.03, 0.76, 0.2], [5.79, 2.87, 0.52], [27.27, 12.39, 1.86]],
     [[0.54, 0.33, 0.15], [2.39, 1.36, 0.33], [14.6, 6.1, 0.99], [73.99, 25.57, 3.8]]],
    [[[0.14, 0.38, 0.13], [0.75, 0.58, 0.15], [4.04, 2.13, 0.34], [16.96, 8.14, 1.07]],
     [[0.47, 0.31, 0.14], [2.02, 1.15, 0.29], [11.31, 4.59, 0.79], [47.05, 20.15, 2.7]]],
    [[[1.16, 1.3, 0.48], [6.19, 4.72, 1.15], [34.83, 17.02, 4.85], [204.84, 107.34, 25.23]],
     [[3.16, 1.87, 0.72], [15.68, 7.35, 1.94], [82.92, 36.26, 8.85], [483.92, 221.8, 47.02]]],
    [[[0.18, 0.19, 0.08], [0.87, 0.68, 0.17], [4.95, 2.42, 0.41], [23.05, 9.79, 1.3]],
     [[0.55, 0.43, 0.16], [2.2, 1.29, 0.31], [13.62, 5.77, 0.86], [63.26, 23.19, 2.95]]],
];

/// Solves of BLOOD on the largest level, by numbering and element: speed-up of four cores over one,
/// and of the GPU over four.
pub const TABLE_4: [[[f64; 2]; 2]; 5] = [
    [[2.16, 6.65], [2.3, 7.4]],
    [[2.16, 7.83], [2.52, 7.87]],
    [[2.19, 6.81], [2.05, 6.38]],
    [[2.15, 6.22], [2.06, 7.93]],
    [[2.06, 9.67], [3.05, 7.94]],
];

/// The medians over the numberings of [`TABLE_4`].
pub const SPEED_UPS: [(&str, f64); 4] = [
    ("four cores to one, Q1", TABLE_4[0][0][0]),
    ("four cores to one, Q2", TABLE_4[0][1][0]),
    ("GPU to four cores, Q1", TABLE_4[2][0][1]),
    ("GPU to four cores, Q2", TABLE_4[1][1][1]),
];

/// Gains of §4.5 in the order of its sentence.
pub const STEPS: [(&str, f64); 4] = [
    ("as fast in CM as in STO", 7.0),
    ("as fast in HIE as in CM", 1.5),
    ("as fast in 2LV as in HIE", 1.5),
    ("as fast in XYZ as in 2LV", 1.5),
];

/// Most cycles of a solve in the authors' programs (github.com/dribbroc/HONEI, commit f4ea946d, `n_max_iter`).
pub const CAP: f64 = 100.0;

/// Number of products with the time of a solve: the seconds of Table 3 divided by those of a product in Table 2.
pub fn products_a_solve(numbering: Numbering, element: usize, row: usize) -> Processors {
    let counts = counts(Setup::Circle, LEVELS[element][row]);
    let flop = 2.0 * counts.non_zeros(Element::ALL[element]) as f64;
    let rate = TABLE_2[numbering as usize][element][row];
    let seconds = TABLE_3[numbering as usize][element][row];
    [0, 1, 2].map(|processor| seconds[processor] * 1e6 * rate[processor] / flop)
}
