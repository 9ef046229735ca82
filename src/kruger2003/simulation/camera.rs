//! The view of a basin of water from above one of its edges (Krüger and Westermann 2003, Figs. 1, 6
//! and 7). The basin has width 1, and still water is at z = 0.

use crate::picture::Camera;

/// Camera above the lower edge of the picture, looking down so that a basin `length` times as long as wide
/// fits into a picture `aspect` times as wide as high.
pub fn over(length: f32, aspect: f32) -> Camera {
    let target = [0.5, 0.46 * length, 0.0];
    let distance = 1.55 * (0.45 + 0.55 * length).max(1.0) * (1.0 / aspect).max(1.0);
    // Elevation of 52 degrees above the horizon.
    let (sine, cosine) = 52.0_f32.to_radians().sin_cos();
    let eye = [
        target[0],
        target[1] - distance * cosine,
        target[2] + distance * sine,
    ];
    let view = 0.74;
    Camera {
        eye,
        forward: [0.0, cosine, -sine],
        right: [view * aspect, 0.0, 0.0],
        up: [0.0, view * sine, view * cosine],
    }
}

/// Position of still water seen at a position of the picture, both as shares from the lower left corner: of
/// the picture, and of the basin's width. None at or above the horizon.
pub fn ground(camera: &Camera, place: [f32; 2]) -> Option<[f32; 2]> {
    let ray = camera.ray(place);
    let way = camera.eye[2] / -ray[2];
    (-ray[2] > 1e-3).then(|| [0, 1].map(|k| camera.eye[k] + way * ray[k]))
}
