//! The scripts of pages with films, and their names in the policy of a page. The build of the live page
//! (`src/live/pack`) contains this file, too.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The player's scripts; each may use those before it.
const PLAYER: [&[&str]; 2] = [
    &REPLAY,
    &[
        include_str!("player/words.js"),
        include_str!("player/cache.js"),
        include_str!("player/compare.js"),
        include_str!("player/library.js"),
        include_str!("player/work.js"),
        include_str!("player/class.js"),
        include_str!("player/panel.js"),
        include_str!("player/view.js"),
        include_str!("player/player.js"),
    ],
];
/// Those among them that run films again.
pub const REPLAY: [&str; 8] = [
    include_str!("player/common.js"),
    concat!("const HEAD = `", include_str!("../gl/web.glsl"), "`;"),
    concat!("const SINES = `", include_str!("../gl/sines.glsl"), "`;"),
    include_str!("player/decode.js"),
    include_str!("player/program.js"),
    include_str!("player/replay.js"),
    include_str!("player/element.js"),
    include_str!("player/picture.js"),
];

/// Returns the player.
pub fn player() -> String {
    plain(&PLAYER.concat().join("\n"))
}

/// A script without indentation, empty lines and lines of comments.
pub fn plain(script: &str) -> String {
    let mut is_comment = false;
    let lines = script.lines().map(str::trim).filter(|line| {
        is_comment |= line.starts_with("/*");
        let is_kept = !is_comment && !line.is_empty() && !line.starts_with("//");
        is_comment &= !line.contains("*/");
        is_kept
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the name of a script in the policy of a page. A browser runs no other script.
pub fn hash(script: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(format!("\n{script}\n"))))
}
