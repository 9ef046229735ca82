//! The perspective camera of a scene.

/// A camera. A position in the picture, given relative to its middle as fractions of its sides, is on the ray
/// `forward + across right + up`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// The eye.
    pub eye: [f32; 3],
    /// Direction to the middle of the picture, a unit vector. Depth is measured along it.
    pub forward: [f32; 3],
    /// Vector from the left side of the picture to the right one, at distance 1 from the eye.
    pub right: [f32; 3],
    /// Vector from the lower side of the picture to the upper one, at distance 1 from the eye.
    pub up: [f32; 3],
}

/// Right, up and towards the eye, for an eye that is rotated around the vertical (y) axis and raised above the
/// horizontal, in degrees. An azimuth of 0 looks along −z.
pub fn axes(azimuth: f64, elevation: f64) -> [[f64; 3]; 3] {
    let (sin_a, cos_a) = azimuth.to_radians().sin_cos();
    let (sin_e, cos_e) = elevation.to_radians().sin_cos();
    [
        [cos_a, 0.0, -sin_a],
        [-sin_a * sin_e, cos_e, -cos_a * sin_e],
        [sin_a * cos_e, sin_e, cos_a * cos_e],
    ]
}

impl Camera {
    /// A camera that looks at the middle of a ball, which fills the shorter side of a picture whose width is
    /// `aspect` times its height. `view` is that side at distance 1 from the eye.
    pub fn at_ball(
        (centre, radius): ([f64; 3], f64),
        [azimuth, elevation]: [f64; 2],
        aspect: f64,
        view: f64,
    ) -> Self {
        let [right, up, towards] = axes(azimuth, elevation);
        let distance = radius * (1.0 + 4.0 / (view * view)).sqrt();
        let eye = [0, 1, 2].map(|axis| (centre[axis] + distance * towards[axis]) as f32);
        let scaled = |axis: [f64; 3], by: f64| axis.map(|v| (by * v) as f32);
        Self {
            eye,
            forward: scaled(towards, -1.0),
            right: scaled(right, view * aspect.max(1.0)),
            up: scaled(up, view * (1.0 / aspect).max(1.0)),
        }
    }

    /// The ray to a position in the picture, given as fractions of its sides from the lower left corner.
    pub fn ray(&self, [across, up]: [f32; 2]) -> [f32; 3] {
        [0, 1, 2]
            .map(|k| self.forward[k] + (across - 0.5) * self.right[k] + (up - 0.5) * self.up[k])
    }

    /// Transformation from space to clip coordinates, column by column, for depths from `near` to `far`. With
    /// the two exchanged, far surfaces hide near ones.
    pub fn to_clip(&self, near: f32, far: f32) -> [f32; 16] {
        let dot = |a: [f32; 3], b: [f32; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let across = |side: [f32; 3]| side.map(|v| 2.0 * v / dot(side, side));
        let (slope, offset) = ((far + near) / (far - near), -2.0 * far * near / (far - near));
        let rows = [
            (across(self.right), 0.0),
            (across(self.up), 0.0),
            (self.forward.map(|v| slope * v), offset),
            (self.forward, 0.0),
        ];
        let mut matrix = [0.0; 16];
        for (row, (axis, offset)) in rows.into_iter().enumerate() {
            for column in 0..3 {
                matrix[4 * column + row] = axis[column];
            }
            matrix[12 + row] = offset - dot(axis, self.eye);
        }
        matrix
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_ends_where_the_matrix_puts_it() {
        let ball = ([0.5, 0.4, 0.3], 0.8);
        let camera = Camera::at_ball(ball, [30.0, 20.0], 1.5, 0.6);
        let place = [0.3, 0.8];
        let ray = camera.ray(place);
        for (near, far) in [(1.0, 9.0), (9.0, 1.0)] {
            let m = camera.to_clip(near, far);
            let hidden_by = [1.5, 4.0].map(|depth| {
                let at = [0, 1, 2].map(|k| camera.eye[k] + depth * ray[k]);
                let row = |r: usize| m[r] * at[0] + m[4 + r] * at[1] + m[8 + r] * at[2] + m[12 + r];
                assert!((row(3) - depth).abs() < 1e-5);
                for (axis, place) in place.into_iter().enumerate() {
                    let shown = 0.5 + 0.5 * row(axis) / row(3);
                    assert!((shown - place).abs() < 1e-5, "{shown}");
                }
                row(2) / row(3)
            });
            assert_eq!(hidden_by[0] < hidden_by[1], near < far, "{hidden_by:?}");
        }
    }
}
