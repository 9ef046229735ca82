//! The connection to the display, or the reason for its failure.

use std::panic;

use winit::application::ApplicationHandler;
use winit::error::EventLoopError;
use winit::event_loop::EventLoop;

/// Connects to the display. If a library is missing, winit panics with its name.
pub(super) fn connect() -> Result<EventLoop<()>, String> {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| ()));
    let connected = panic::catch_unwind(EventLoop::new);
    panic::set_hook(hook);
    match connected {
        Ok(connected) => connected.map_err(|error| in_words(&error)),
        Err(panic) => Err(match panic.downcast::<String>() {
            Ok(message) => *message,
            Err(panic) => panic
                .downcast::<&str>()
                .map_or_else(|_| "the display cannot be used".to_owned(), |m| (*m).to_owned()),
        }),
    }
}

/// Waits for events and passes them on until the loop ends. The loop is compiled once for all applications.
pub(super) fn run(
    event_loop: EventLoop<()>,
    mut application: &mut dyn ApplicationHandler,
) -> Result<(), EventLoopError> {
    event_loop.run_app(&mut application)
}

/// Winit's message, without the position in its source.
pub(super) fn in_words(error: &EventLoopError) -> String {
    let text = error.to_string();
    let words = match text.split_once(": ") {
        Some((place, words)) if place.starts_with("os error at") => words,
        _ => &text,
    };
    words.trim_end_matches('.').to_owned()
}
