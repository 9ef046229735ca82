//! The course: eight films in the order in which the ideas came.

/// Its title.
pub const TITLE: &str = "Solving equations with triangles";

/// Its films, in their order.
pub const SCENES: [&str; 8] = [
    "kernel",
    "gather",
    "reduction",
    "spmv",
    "packing",
    "vcycle",
    "one-surface",
    "switches",
];

/// Its text as HTML: an article a film, with a question, and the command that makes the film.
pub const LESSONS: &str = include_str!("course.html");
