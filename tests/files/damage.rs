//! What happens to a file on its way.

use fragstream::base::random::SplitMix64;

/// Bytes that mean something to the formats are worth more tries than others.
fn byte(random: &mut SplitMix64) -> u8 {
    const TELLING: &[u8] = b"0123456789-.e+/ \n\r#%\\[]=\"$";
    match random.below(2) {
        0 => random.below(256) as u8,
        _ => TELLING[random.below(TELLING.len())],
    }
}

/// Damages a file in one place.
pub fn damage(file: &mut Vec<u8>, random: &mut SplitMix64) {
    if file.is_empty() {
        return file.push(byte(random));
    }
    let at = random.below(file.len());
    let end = (at + random.below(40)).min(file.len());
    match random.below(6) {
        0 | 1 => file[at] = byte(random),
        2 => drop(file.splice(at..at, (0..8).map(|_| byte(random)).collect::<Vec<_>>())),
        3 => drop(file.drain(at..end)),
        4 => {
            let piece = file[at..end].to_vec();
            drop(file.splice(at..at, piece));
        }
        _ => file.truncate(at),
    }
}
