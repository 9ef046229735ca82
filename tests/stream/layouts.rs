//! Vectors lie in their textures as their layouts say, and what no texture can hold is refused with
//! the layout that would.

use fragstream::stream::{Format, Layout, Machine, Stream, StreamError};

use crate::common::machine;

const FORMATS: [Format; 2] = [Format::R32F, Format::Rgba32F];

/// Square with one and with four entries a texel, lines, and rows of a given width.
pub fn layouts(machine: &Machine, length: usize) -> Vec<Layout> {
    let widest = machine.description().rectangle_limit;
    let width = if length < 10_000 { 16 } else { widest };
    let mut layouts = vec![
        Layout::lines(length, Format::R32F, width).unwrap(),
        Layout::wrapped(length, Format::Rgba32F, width).unwrap(),
    ];
    layouts.extend(FORMATS.map(|format| Layout::square(length, format).unwrap()));
    layouts
}

#[test]
fn what_is_written_is_read_back_and_the_rest_is_zero() {
    let machine = machine();
    for length in [1, 2, 3, 5, 1000, 1_048_577] {
        let entries: Vec<f32> = (1..=length).map(|k| k as f32).collect();
        for layout in layouts(&machine, length) {
            let vector = Stream::from_entries(&machine, "vector", layout, &entries).unwrap();
            assert_eq!(vector.read().unwrap(), entries, "{layout}");
            let all = vector.read_rect(vector.full()).unwrap();
            assert_eq!(all.len(), layout.capacity());
            assert!(all[length..].iter().all(|&v| v == 0.0), "{layout}");
        }
    }
}

#[test]
fn data_of_another_length_is_refused_even_if_the_texture_has_room() {
    let machine = machine();
    let layout = Layout::square(7, Format::Rgba32F).unwrap();
    let vector = Stream::vector(&machine, "vector", layout).unwrap();
    for length in [1, 6, layout.capacity()] {
        let refused = vector.write(&vec![1.0; length]);
        assert!(matches!(refused, Err(StreamError::Size { .. })), "{length}");
    }
    let empty = Layout::square(0, Format::R32F);
    assert_eq!(empty, Err(StreamError::NoEntries));
}

#[test]
fn a_square_texture_is_at_most_one_row_from_square() {
    for length in (1..200).chain([1_048_576, 1_048_577, 4096 * 4096]) {
        for format in FORMATS {
            let layout = Layout::square(length, format).unwrap();
            let (width, height) = layout.size();
            assert!(width == height || width == height + 1, "{layout}");
            assert!(layout.capacity() - length < width as usize * format.channels());
        }
    }
}

#[test]
fn entries_lie_row_by_row_and_the_capacity_wraps_round() {
    let layout = Layout::square(30, Format::Rgba32F).unwrap();
    assert_eq!(layout.size(), (3, 3));
    assert_eq!(layout.place(0), ([0, 0], 0));
    assert_eq!(layout.place(7), ([1, 0], 3));
    assert_eq!(layout.place(29), ([1, 2], 1));
    assert_eq!(layout.place(layout.capacity() + 7), layout.place(7));
}

#[test]
fn a_texture_over_the_limit_is_refused_with_the_layout_that_would_hold_it() {
    let machine = machine();
    let limit = machine.description().rectangle_limit;
    let refuse = |layout: Layout| match Stream::vector(&machine, "vector", layout) {
        Err(error @ StreamError::TooLarge { .. }) => error.to_string(),
        _ => panic!("{layout} is over the limit"),
    };
    // A grid is needed as it is.
    assert!(refuse(Layout::grid((limit + 1, 1), Format::R32F)).contains("smaller grid"));
    let long = Layout::lines(limit as usize + 1, Format::R32F, limit + 1).unwrap();
    let message = refuse(long);
    assert!(message.contains(&limit.to_string()) && message.contains("Layout::square"));
    let side = limit as usize;
    let square = Layout::square(side * side + 1, Format::R32F).unwrap();
    assert!(refuse(square).contains("Format::Rgba32F"));
    let too_many = Layout::square(4 * side * side + 1, Format::Rgba32F).unwrap();
    assert!(refuse(too_many).contains("no layout"));
}
