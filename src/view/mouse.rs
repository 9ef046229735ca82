//! The paths of the mouse and of fingers between two frames.

use std::collections::BTreeMap;

use crate::scene::Tool;

/// Number of the mouse among the pointers; those of fingers are not negative.
const MOUSE: i32 = -1;

/// A part of a stroke: the positions of a pointer since the last frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Path {
    /// Button that is, or was, held down.
    pub tool: Tool,
    /// Positions of the pointer, at least one; the first one is the last of the previous frame.
    pub places: Vec<[f32; 2]>,
    /// True if the button was pressed since the last frame.
    pub begins: bool,
    /// Number of the stroke.
    pub stroke: usize,
    /// Number of the pointer.
    pointer: i32,
}

/// The mouse or a finger.
#[derive(Debug, Default)]
struct Pointer {
    place: [f32; 2],
    held: Option<Tool>,
}

/// The mouse, and fingers. Positions are in pixels of the window.
#[derive(Debug, Default)]
pub struct Mouse {
    pointers: BTreeMap<i32, Pointer>,
    paths: Vec<Path>,
    strokes: usize,
}

impl Mouse {
    /// Moves the mouse.
    pub fn moved(&mut self, place: [f32; 2]) {
        self.drag(MOUSE, place);
    }

    /// Presses a button, which begins a stroke.
    pub fn pressed(&mut self, tool: Tool) {
        self.press(MOUSE, tool);
    }

    /// Releases a button, which ends its stroke.
    pub fn released(&mut self, tool: Tool) {
        if let Some(mouse) = self.pointers.get_mut(&MOUSE).filter(|mouse| mouse.held == Some(tool))
        {
            mouse.held = None;
        }
    }

    /// Moves a finger. It draws a stroke of its own as long as it is down.
    pub fn finger(&mut self, number: i32, place: [f32; 2], tool: Option<Tool>) {
        self.drag(number, place);
        let is_held = self.pointers.get(&number).is_some_and(|finger| finger.held.is_some());
        match tool {
            Some(tool) if !is_held => self.press(number, tool),
            Some(_) => {}
            None => drop(self.pointers.remove(&number)),
        }
    }

    fn drag(&mut self, number: i32, place: [f32; 2]) {
        let pointer = self.pointers.entry(number).or_default();
        pointer.place = place;
        let path = self.paths.iter_mut().rfind(|path| path.pointer == number);
        if let (Some(_), Some(path)) = (pointer.held, path) {
            path.places.push(place);
        }
    }

    fn press(&mut self, number: i32, tool: Tool) {
        let pointer = self.pointers.entry(number).or_default();
        pointer.held = Some(tool);
        let (places, stroke) = (vec![pointer.place], self.strokes);
        self.paths.push(Path { tool, places, begins: true, stroke, pointer: number });
        self.strokes += 1;
    }

    /// Takes the strokes since the last call.
    pub fn take(&mut self) -> Vec<Path> {
        let paths = std::mem::take(&mut self.paths);
        for (number, Pointer { place, held }) in &self.pointers {
            let last = paths.iter().rfind(|path| path.pointer == *number);
            if let (Some(_), Some(last)) = (held, last) {
                self.paths.push(Path { places: vec![*place], begins: false, ..*last });
            }
        }
        paths
    }
}

/// The length of a path.
pub fn length(places: &[[f32; 2]]) -> f32 {
    places.windows(2).map(|pair| distance(pair[0], pair[1])).sum()
}

fn distance(a: [f32; 2], b: [f32; 2]) -> f32 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// The important corners of a path: every dropped one is within `tolerance` of the line between its neighbours
/// (Ramer 1972, Douglas and Peucker 1973). Strokes overlap at corners, so a straight path must be one stroke,
/// however many events report it.
pub fn simplified(places: &[[f32; 2]], tolerance: f32) -> Vec<[f32; 2]> {
    let (Some(&first), Some(&last)) = (places.first(), places.last()) else {
        return Vec::new();
    };
    let off = |&place: &[f32; 2]| distance_to_segment(place, first, last);
    let furthest = (0..places.len()).max_by(|&a, &b| off(&places[a]).total_cmp(&off(&places[b])));
    match furthest {
        Some(at) if off(&places[at]) > tolerance => {
            let mut corners = simplified(&places[..=at], tolerance);
            corners.pop();
            corners.extend(simplified(&places[at..], tolerance));
            corners
        }
        _ if first == last => vec![first],
        _ => vec![first, last],
    }
}

fn distance_to_segment(place: [f32; 2], a: [f32; 2], b: [f32; 2]) -> f32 {
    let along = [b[0] - a[0], b[1] - a[1]];
    let from_a = [place[0] - a[0], place[1] - a[1]];
    let squared = (along[0] * along[0] + along[1] * along[1]).max(1e-12);
    let share = ((from_a[0] * along[0] + from_a[1] * along[1]) / squared).clamp(0.0, 1.0);
    distance(place, [a[0] + share * along[0], a[1] + share * along[1]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stroke_goes_on_where_the_last_frame_ended() {
        let mut mouse = Mouse::default();
        mouse.moved([1.0, 1.0]);
        assert!(mouse.take().is_empty());
        mouse.pressed(Tool::First);
        mouse.moved([3.0, 1.0]);
        let path = &mouse.take()[0];
        assert_eq!(path.places, [[1.0, 1.0], [3.0, 1.0]]);
        assert!(path.begins);
        mouse.moved([4.0, 2.0]);
        mouse.released(Tool::First);
        mouse.moved([9.0, 9.0]);
        let path = &mouse.take()[0];
        assert_eq!(path.places, [[3.0, 1.0], [4.0, 2.0]]);
        assert!(!path.begins);
        assert!(mouse.take().is_empty());
    }

    #[test]
    fn a_click_between_two_frames_is_not_lost() {
        let mut mouse = Mouse::default();
        mouse.pressed(Tool::Second);
        mouse.released(Tool::Second);
        mouse.pressed(Tool::First);
        mouse.released(Tool::First);
        let tools: Vec<Tool> = mouse.take().iter().map(|path| path.tool).collect();
        assert_eq!(tools, [Tool::Second, Tool::First]);
    }

    #[test]
    fn each_finger_draws_a_stroke_of_its_own() {
        let mut mouse = Mouse::default();
        for frame in 0..3u8 {
            let y = f32::from(frame);
            mouse.finger(7, [0.0, y], Some(Tool::First));
            mouse.moved([5.0, y]);
            mouse.finger(2, [9.0, y], Some(Tool::Second));
            let paths = mouse.take();
            assert_eq!(paths.len(), 2, "{paths:?}");
            for path in &paths {
                let side = path.places[0][0];
                assert!(path.places.iter().all(|place| place[0] == side), "{paths:?}");
                assert_eq!((path.begins, path.tool == Tool::First), (frame == 0, side == 0.0));
                assert_eq!(path.stroke, usize::from(side > 0.0));
            }
        }
        mouse.finger(7, [0.0, 3.0], None);
        let ends: Vec<usize> = mouse.take().iter().map(|path| path.places.len()).collect();
        assert_eq!(ends, [1, 2]);
        assert_eq!(mouse.take().len(), 1, "the other finger is still down");
    }

    #[test]
    fn a_straight_way_is_one_stroke_and_a_corner_stays() {
        let line: Vec<[f32; 2]> = (0..50).map(|k| [k as f32, 2.0 * k as f32]).collect();
        assert_eq!(simplified(&line, 0.1), [[0.0, 0.0], [49.0, 98.0]]);
        let corner = [[0.0, 0.0], [5.0, 0.1], [10.0, 0.0], [10.0, 10.0]];
        let kept = [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0]];
        assert_eq!(simplified(&corner, 0.5), kept);
        let there_and_back = [[0.0, 0.0], [8.0, 0.0], [0.0, 0.0]];
        assert_eq!(simplified(&there_and_back, 0.5), there_and_back);
        assert_eq!(simplified(&[[1.0, 1.0]; 3], 0.5), [[1.0, 1.0]]);
        assert!(simplified(&[], 0.5).is_empty());
    }
}
