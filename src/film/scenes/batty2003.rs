//! Batty, Wiebe and Houston 2003: the product of a liquid's matrix.

use crate::base::error::BoxedError;
use crate::batty2003::{Placement, PressureSpace, Settings, SevenDiagonals, System};
use crate::solver::{Operator, VectorSpace};
use crate::stream::Machine;

use super::{Run, Scene};

pub const LIQUID_PRODUCT: Scene = Scene {
    name: "liquid-product",
    title: "Seven diagonals of a liquid's matrix, four cells per texel",
    paper: "batty2003",
    section: "GPU Algorithm Implementation",
    opens: 0,
    run: Run::Fixed(liquid_product),
};

/// The pressure matrix of a half-full box.
fn half_full(size: [usize; 3]) -> System<f64> {
    let mut system = System::zeros(size);
    let is_liquid = |cell: usize| cell / size[0] % size[1] < size[1] / 2;
    for cell in (0..system.cells()).filter(|&cell| is_liquid(cell)) {
        for axis in 0..3 {
            let Some(other) = system.after(cell, axis) else {
                continue;
            };
            system.diagonal[cell] += 1.0;
            if is_liquid(other) {
                system.diagonal[other] += 1.0;
                system.upper[axis][cell] = -1.0;
            }
        }
    }
    system
}

fn liquid_product(machine: &Machine) -> Result<(), BoxedError> {
    let (system, settings) = (half_full([8, 8, 8]), Settings::default());
    let placement = Placement::new(machine, system.size, &settings)?;
    let space = PressureSpace::new(machine, placement.layout(), &settings)?;
    machine.scene("The diagonals of 8 x 8 x 8 cells are uploaded to seven textures");
    let matrix = SevenDiagonals::new(machine, placement, &settings)?;
    matrix.write(&system)?;
    let cells: Vec<f32> = (0..system.cells()).map(|cell| (cell % 8) as f32).collect();
    let x = space.textures().vector(&cells)?;
    let mut y = space.zeros()?;
    machine.scene("y = A x: floor and frac find the neighbours' texels");
    matrix.apply(&space, &x, &mut y)?;
    machine.scene(
        "An inner product: products, then sums of 2 x 2 texels. The CPU adds the four channels",
    );
    space.dot(&x, &y)?;
    Ok(())
}
