//! Captions of programs, from their first lines.

use crate::program::own_text;

/// Returns an assembled program's caption, the first paragraph of its header, and the paper and section that the
/// paragraph names. The parts in front of the program have headers, too; the program's own is the last one that
/// describes `result`.
pub fn caption(assembled: &str) -> (String, String) {
    let lines = own_text(assembled).lines();
    let comments: Vec<Option<&str>> = lines.map(|line| line.strip_prefix("//")).collect();
    let blocks = comments.split(Option::is_none);
    let mut blocks = blocks.filter(|block| !block.is_empty());
    let tells_of_result = |block: &&[Option<&str>]| {
        let mut lines = block.iter().flatten();
        lines.any(|line| line.trim_start().starts_with("result"))
    };
    let Some(block) = blocks.clone().rfind(tells_of_result).or(blocks.next()) else {
        return Default::default();
    };
    let paragraph = block.iter().flatten().map(|line| line.trim());
    let paragraph: Vec<&str> = paragraph.take_while(|line| !line.is_empty()).collect();
    let paragraph = paragraph.join(" ");
    let (text, section) = without_section(&paragraph);
    (text.trim_end_matches([':', '.', ' ']).to_owned(), section)
}

/// Splits a text into the text without the parenthesis that names a paper, and the contents of the parenthesis.
fn without_section(text: &str) -> (String, String) {
    let paper = text.match_indices('(').find_map(|(start, _)| {
        let end = start + text[start..].find(')')?;
        let inside = &text[start + 1..end];
        inside.contains(" 20").then_some((start, end, inside))
    });
    match paper {
        None => (text.to_owned(), String::new()),
        Some((start, end, inside)) => {
            let text = text[..start].trim_end().to_owned() + &text[end + 1..];
            // Remarks for readers of the file follow a semicolon.
            let section = inside.split(';').next().unwrap_or(inside);
            (text, section.to_owned())
        }
    }
}
