//! The listing and Appendix C, step 5: the matrix–vector product, and the texel found by each index.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::random::SplitMix64;
use crate::batty2003::matrix::{index_parts, set_sides};
use crate::batty2003::placement::check_precision;
use crate::batty2003::{
    Error, Index, Offsets, Placement, PressureSpace, Settings, SevenDiagonals, Storage, System,
};
use crate::claim::worst;
use crate::experiment::{Record, Study, Takes};
use crate::solver::{Operator, VectorSpace};
use crate::stream::{Format, Machine, Pass, Rect, Source, Stream, StreamError, source};

use super::programs::Cells;

const INDICES: [Index; 4] = [Index::Frac, Index::Skew, Index::Divmod, Index::Carry];

/// Products of random matrices.
pub static PRODUCTS: Study = Study::measuring(
    "batty2003/products",
    "Products of random matrices with every layout and every index, compared with double precision",
    Takes::all::<Cells>(),
    &[("error", "", "largest error, relative to Σ|a||x|"), ("count", "", "products")],
    |experiment, place| {
        let Cells { size } = experiment.typed()?;
        // Some sizes fill their texture, others do not, and some are a single slice, row or column of cells.
        let sizes = [
            [4, 1, 1],
            [4, 1, 7],
            [4, 9, 1],
            [8, 5, 7],
            [12, 7, 3],
            [16, 8, 8],
            [12, 31, 9],
            [size.into(); 3],
        ];
        let (mut largest, mut count) = (0.0_f64, 0.0);
        for (seed, size) in sizes.into_iter().enumerate() {
            let system = random_system(size, seed as u64);
            let x = SplitMix64::new(7).vector(system.cells());
            let [expected, scale] = expected(&system, &x);
            for settings in ways() {
                let y = product(place.machine, &settings, &system, &x)?;
                let pairs = y.iter().zip(&expected).zip(&scale);
                let errors = pairs.map(|((&y, e), s)| (f64::from(y) - e).abs() / s.max(1e-30));
                largest = worst(errors.chain([largest]));
                count += 1.0;
            }
        }
        let mut record = Record::new();
        record.one("error", largest);
        record.one("count", count);
        Ok(record)
    },
);

/// Every way to store a matrix and to find neighbours. Slices need no index.
fn ways() -> Vec<Settings> {
    let mut ways = vec![Settings { storage: Storage::Slices, ..Settings::default() }];
    for storage in [Storage::Seven, Storage::One] {
        for index in INDICES {
            for offsets in [Offsets::Prebuilt, Offsets::Built] {
                ways.push(Settings { storage, index, offsets, ..Settings::default() });
            }
        }
    }
    ways
}

/// A symmetric matrix with random entries of both signs, on a box with some walls in it.
pub fn random_system(size: [usize; 3], seed: u64) -> System<f64> {
    let mut random = SplitMix64::new(seed);
    let mut system = System::zeros(size);
    for cell in 0..system.cells() {
        system.diagonal[cell] = random.signed();
        for axis in 0..3 {
            if system.after(cell, axis).is_some() && random.below(5) > 0 {
                system.upper[axis][cell] = random.signed();
            }
        }
    }
    system
}

/// A x and |A||x| in double precision.
fn expected(system: &System<f64>, x: &[f32]) -> [Vec<f64>; 2] {
    let absolute = system.map(f64::abs);
    let product = |system: &System<f64>, of: fn(f32) -> f32| {
        let x: Vec<f64> = x.iter().map(|&x| f64::from(of(x))).collect();
        let mut y = vec![0.0; x.len()];
        system.product(&x, &mut y);
        y
    };
    [product(system, |x| x), product(&absolute, f32::abs)]
}

fn product(
    machine: &Machine,
    settings: &Settings,
    system: &System<f64>,
    x: &[f32],
) -> Result<Vec<f32>, Error> {
    let placement = Placement::new(machine, system.size, settings)?;
    let space = PressureSpace::new(machine, placement.layout(), settings)?;
    let matrix = SevenDiagonals::new(machine, placement, settings)?;
    matrix.write(system)?;
    let (x, mut y) = (space.textures().vector(x)?, space.zeros()?);
    matrix.apply(&space, &x, &mut y)?;
    Ok(y.read()?)
}

/// Rows of a texture.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Rows {
    /// Number of last rows that are tested in textures of 2048² and more
    #[schemars(range(min = 1, max = 2048))]
    pub rows: u32,
}

impl Default for Rows {
    fn default() -> Self {
        Self { rows: 512 }
    }
}

/// Texels found by each index.
pub static TEXELS: Study = Study::measuring(
    "batty2003/indices",
    "The texels of neighbouring cells by each index, in all rows of the scene's texture and the last ones of larger ones",
    Takes::all::<Rows>(),
    &[
        ("accepted.{texels|wrong}", "", "texels up to 2048², and wrong ones among them"),
        (
            "frac_{2500|4096}.{texels|wrong}",
            "",
            "the same with frac in the last rows of larger textures",
        ),
    ],
    |experiment, place| {
        let Rows { rows } = experiment.typed()?;
        let limit = [1, 53, 53 * 211];
        let cases = [
            (500, [1, 25, 2500], 500),
            (2048, limit, rows),
            (2500, limit, rows),
            (4096, limit, rows),
        ];
        let (mut record, mut accepted) = (Record::new(), [0, 0]);
        for case in cases {
            let side = case.0;
            for index in INDICES {
                let [count, wrong] = wrong(place.machine, index, case)?;
                if check_precision(index, (side, side)).is_ok() {
                    accepted = [accepted[0] + count, accepted[1] + wrong];
                } else if index == Index::Frac {
                    record.one(format!("frac_{side}.texels"), count as f64);
                    record.one(format!("frac_{side}.wrong"), wrong as f64);
                }
            }
        }
        record.one("accepted.texels", accepted[0] as f64);
        record.one("accepted.wrong", accepted[1] as f64);
        Ok(record)
    },
);

const POSITION: Source = source!(batty2003, "pressure/position");

/// Number of texels tested, and number of wrong ones, for an index: on a square of this side, at these distances (in
/// texels, to the next cell along x, y, z), in the last rows, where the precision is lowest.
fn wrong(
    machine: &Machine,
    index: Index,
    (side, distances, rows): (u32, [usize; 3], u32),
) -> Result<[usize; 2], StreamError> {
    let settings = Settings { index, ..Settings::default() };
    let kernel = machine.kernel(&POSITION.with(index_parts(&settings)), &[])?;
    let found = Stream::zeros(machine, "places", (side, side), Format::R32F)?;
    let part = Rect { y: side - rows, height: rows, ..Rect::of_size(side, side) };
    let extent = machine.rect(part)?;
    let mut counts = [0, 0];
    for texels in distances {
        let far = Placement::offset(texels, side as usize, &settings);
        for sign in [1.0f32, -1.0] {
            let pass = Pass::new(&kernel)
                .set("columns", side as f32)
                .set("how_far", far.map(|d| sign * d));
            set_sides(pass, side).draw(&found, &extent)?;
            let first = i64::from(part.y) * i64::from(side) + sign as i64 * texels as i64;
            for (to, found) in (first..).zip(found.read_rect(part)?) {
                if (0..i64::from(side).pow(2)).contains(&to) {
                    counts[0] += 1;
                    counts[1] += usize::from(f64::from(found) != to as f64);
                }
            }
        }
    }
    Ok(counts)
}
