//! Numbers on the points of a regular grid, and between them.

use crate::simulation::Setting;

/// Numbers on the points of a regular grid, trilinear in between; usually a distance, negative
/// inside.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    size: [usize; 3],
    origin: [f64; 3],
    spacing: f64,
    values: Vec<f32>,
}

impl Field {
    /// Creates a field from the value of every point, point (i, j, k) at i + nx (j + ny k). The first point is at
    /// `origin`, with distance `spacing` between neighbours (m).
    pub fn new(
        size: [usize; 3],
        origin: [f64; 3],
        spacing: f64,
        values: Vec<f32>,
    ) -> Result<Self, Setting> {
        Setting::positive("the spacing of a field", spacing)?;
        Setting::vector("the origin of a field", &origin)?;
        let points = size.iter().try_fold(1_usize, |n, &m| n.checked_mul(m));
        if points != Some(values.len()) || values.is_empty() {
            return Err(Setting {
                what: "the number of a field's values",
                got: values.len().to_string(),
                remedy: format!(
                    "give one for each of {} x {} x {}",
                    size[0], size[1], size[2]
                ),
            });
        }
        if let Some(value) = values.iter().find(|value| !value.is_finite()) {
            Setting::finite("a field's value", f64::from(*value))?;
        }
        Ok(Self::of_finite(size, origin, spacing, values))
    }

    /// Creates a field from finite values, one per point.
    pub(in crate::batty2003::liquid) fn of_finite(
        size: [usize; 3],
        origin: [f64; 3],
        spacing: f64,
        values: Vec<f32>,
    ) -> Self {
        Self {
            size,
            origin,
            spacing,
            values,
        }
    }

    /// Number of points in each direction.
    pub fn size(&self) -> [usize; 3] {
        self.size
    }

    /// Position of the first point (m).
    pub fn origin(&self) -> [f64; 3] {
        self.origin
    }

    /// Distance between neighbours (m).
    pub fn spacing(&self) -> f64 {
        self.spacing
    }

    /// The value of every point, x fastest.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// The value of a point.
    pub fn at(&self, [i, j, k]: [usize; 3]) -> f32 {
        self.values[i + self.size[0] * (j + self.size[1] * k)]
    }

    /// The value at a position (m), trilinear between the eight points around it; outside the grid, that
    /// of the nearest position inside.
    pub fn sample(&self, at: [f64; 3]) -> f64 {
        let (corners, [x, y, z]) = self.cell(at);
        let along_x = |row: usize| mix(corners[row], corners[row + 1], x);
        let along_y = |plane: usize| mix(along_x(plane), along_x(plane + 2), y);
        mix(along_y(0), along_y(4), z)
    }

    /// Gradient of the value at a position: the derivative of [`Field::sample`].
    pub fn gradient(&self, at: [f64; 3]) -> [f64; 3] {
        let (corners, shares) = self.cell(at);
        [0, 1, 2].map(|axis| {
            let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
            // Differences along the four edges of the axis, interpolated between them.
            let rise = |edge: usize| corners[edge | 1 << axis] - corners[edge];
            let between = |edge: usize| mix(rise(edge), rise(edge | 1 << u), shares[u]);
            mix(between(0), between(1 << v), shares[v]) / self.spacing
        })
    }

    /// The values of the eight points around a position, x fastest, and the position between the first
    /// and the last of them in each direction, from 0 to 1.
    fn cell(&self, at: [f64; 3]) -> ([f64; 8], [f64; 3]) {
        let mut share = [0.0; 3];
        let mut ends = [[0; 2]; 3];
        for axis in 0..3 {
            let last = self.size[axis] - 1;
            let place = ((at[axis] - self.origin[axis]) / self.spacing).clamp(0.0, last as f64);
            // NaN becomes the first point.
            let first = (place as usize).min(last.saturating_sub(1));
            share[axis] = place - first as f64;
            ends[axis] = [first, (first + 1).min(last)];
        }
        let corner = |number: usize| {
            let [i, j, k] = [0, 1, 2].map(|axis| ends[axis][number >> axis & 1]);
            f64::from(self.values[i + self.size[0] * (j + self.size[1] * k)])
        };
        (std::array::from_fn(corner), share)
    }
}

fn mix(first: f64, second: f64, share: f64) -> f64 {
    first + (second - first) * share
}
