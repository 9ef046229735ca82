//! The view of a basin of water from above one of its edges (Krüger and Westermann 2003, Figs. 1, 6
//! and 7).

/// Where a basin is seen from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// The eye. The basin is 1 wide, still water lies at z = 0.
    pub eye: [f32; 3],
    /// To the middle of the picture.
    pub forward: [f32; 3],
    /// From the picture's left to its right side, a unit before the eye.
    pub right: [f32; 3],
    /// From its lower to its upper side.
    pub up: [f32; 3],
}

impl Camera {
    /// From over the lower edge of the picture, looking down so that a basin as long as `length`
    /// widths fits a picture `aspect` times as wide as high.
    pub fn over(length: f32, aspect: f32) -> Self {
        let target = [0.5, 0.46 * length, 0.0];
        let distance = 1.55 * (0.45 + 0.55 * length).max(1.0) * (1.0 / aspect).max(1.0);
        // As high as 52 degrees above the horizon.
        let (sine, cosine) = 52.0_f32.to_radians().sin_cos();
        let eye = [
            target[0],
            target[1] - distance * cosine,
            target[2] + distance * sine,
        ];
        let view = 0.74;
        Self {
            eye,
            forward: [0.0, cosine, -sine],
            right: [view * aspect, 0.0, 0.0],
            up: [0.0, view * sine, view * cosine],
        }
    }

    /// Where still water is seen at a place of the picture, both as shares from the lower left
    /// corner: of the picture, and of the basin's width. Nothing at or above the horizon.
    pub fn ground(&self, [across, up]: [f32; 2]) -> Option<[f32; 2]> {
        let ray =
            |k: usize| self.forward[k] + (across - 0.5) * self.right[k] + (up - 0.5) * self.up[k];
        let fall = -ray(2);
        let way = self.eye[2] / fall;
        (fall > 1e-3).then(|| [self.eye[0] + way * ray(0), self.eye[1] + way * ray(1)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_the_picture_shows_what_the_camera_looks_at() {
        let camera = Camera::over(1.0, 4.0 / 3.0);
        let place = camera.ground([0.5, 0.5]).expect("below the horizon");
        assert!((place[0] - 0.5).abs() < 1e-6 && (place[1] - 0.46).abs() < 1e-6);
    }

    #[test]
    fn what_lies_higher_in_the_picture_lies_further_away() {
        let camera = Camera::over(0.75, 4.0 / 3.0);
        let seen = [0.1, 0.4, 0.7].map(|up| camera.ground([0.5, up]).expect("ground"));
        assert!(seen[0][1] < seen[1][1] && seen[1][1] < seen[2][1]);
        assert_eq!(camera.ground([0.5, 9.0]), None);
    }
}
