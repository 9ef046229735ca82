//! The course: eight films in teaching order.

/// Title of the course.
pub const TITLE: &str = "Solving equations with triangles";

/// Its films, in order.
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

/// Its text as HTML: one article per film, with a question and the command that makes the film.
pub const LESSONS: &str = include_str!("course.html");
