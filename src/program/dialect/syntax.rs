//! The syntax tree of one program, with line numbers.

use glsl_lang::ast::{
    self, DeclarationData, ExternalDeclarationData, FunctionDefinition, Node, NodeContent,
    TranslationUnit,
};
use glsl_lang::parse::{DefaultParse, ParseContext};

use super::declaration::{Global, declared};
use super::preprocess::{SyntaxError, preprocess, without_comments};
use super::size;

/// A parsed program.
pub(crate) struct Syntax {
    unit: TranslationUnit,
    /// The program as it was written.
    source: String,
    /// The parsed text, without comments and macros.
    text: String,
    /// Lines that are not counted: those before `#line 1` in an assembled text.
    head: u32,
}

impl Syntax {
    /// Parses the text of a program, with or without the prelude.
    pub(crate) fn parse(source: &str, predefined: &[String]) -> Result<Syntax, SyntaxError> {
        let head = source.find("#line 1\n");
        let head = head.map_or(0, |end| line_at(source, end));
        let text = preprocess(source, predefined)
            .and_then(|text| size::check(&text).map(|()| text))
            .map_err(|error| SyntaxError { line: error.line.saturating_sub(head), ..error })?;
        let context = ParseContext::new();
        context.add_type_name(ast::IdentifierData::from("stream").into());
        let parsed = <TranslationUnit as DefaultParse>::parse_with_context(&text, &context);
        match parsed {
            Ok((unit, ..)) => Ok(Syntax { unit, source: source.to_owned(), text, head }),
            Err(error) => {
                let offset = u32::from(error.pos().start()) as usize;
                let message = error.inner().to_string();
                // A long list of what else could follow is mostly words of later versions.
                let message = match message.split_once(", expected") {
                    Some((found, list)) if list.matches(',').count() > 8 => found.to_owned(),
                    _ => message,
                };
                Err(SyntaxError {
                    line: line_at(&text, offset).saturating_sub(head),
                    column: column_at(source, &text, offset),
                    message,
                })
            }
        }
    }

    pub(crate) fn unit(&self) -> &TranslationUnit {
        &self.unit
    }

    /// Line of a node, from 1.
    pub(crate) fn line<T: NodeContent>(&self, node: &Node<T>) -> u32 {
        let offset = node.span.map_or(0, |span| u32::from(span.range().start()));
        line_at(&self.text, offset as usize).saturating_sub(self.head)
    }

    /// Line and column of a node, from 1.
    pub(crate) fn place<T: NodeContent>(&self, node: &Node<T>) -> (u32, u32) {
        let offset = node.span.map_or(0, |span| u32::from(span.range().start()));
        let column = column_at(&self.source, &self.text, offset as usize);
        (self.line(node), column)
    }

    /// Text of a node.
    pub(crate) fn text_of<T: NodeContent>(&self, node: &Node<T>) -> &str {
        let range = node.span.map(|span| span.range());
        let range = range.map(|r| u32::from(r.start()) as usize..u32::from(r.end()) as usize);
        range.and_then(|range| self.text.get(range)).unwrap_or("").trim()
    }

    pub(crate) fn functions(&self) -> impl Iterator<Item = &FunctionDefinition> {
        self.unit.0.iter().filter_map(|item| match &item.content {
            ExternalDeclarationData::FunctionDefinition(function) => Some(function),
            _ => None,
        })
    }

    /// All global variables, in order.
    pub(crate) fn globals(&self) -> impl Iterator<Item = Global<'_>> {
        let lists = self.unit.0.iter().filter_map(|item| match &item.content {
            ExternalDeclarationData::Declaration(declaration) => match &declaration.content {
                DeclarationData::InitDeclaratorList(list) => Some(list),
                _ => None,
            },
            _ => None,
        });
        lists.flat_map(move |list| {
            declared(list).map(move |(name, ..)| Global {
                name: name.as_str(),
                place: self.place(list),
                declaration: list,
            })
        })
    }
}

fn line_at(text: &str, offset: usize) -> u32 {
    let before = text.as_bytes().iter().take(offset);
    1 + before.filter(|&&byte| byte == b'\n').count() as u32
}

/// Column in `source` of an offset in `text`, the same source with its macros expanded. In an expanded macro it is
/// the column of the first macro of the line.
fn column_at(source: &str, text: &str, offset: usize) -> u32 {
    let line = line_at(text, offset) as usize - 1;
    let source = without_comments(source);
    let written = source.lines().nth(line).unwrap_or("");
    let start = text[..offset].rfind('\n').map_or(0, |end| end + 1);
    let (before, after) = (&text[start..offset], &text[offset..]);
    let after = after.lines().next().unwrap_or("");
    let same = |(a, b): &(char, char)| a == b;
    let before = if let Some(before) = written.strip_suffix(after).filter(|_| !after.is_empty()) {
        before.chars().count()
    } else {
        written.chars().zip(before.chars()).take_while(same).count()
    };
    1 + before as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_has_its_column_in_the_written_text_despite_comments_and_macros() {
        let head = "#define TWO (1.0 + 1.0)\n#define BAD ;\n";
        for (line, column) in [
            ("result = ;", 10),
            ("/* two */ result = ;", 20),
            ("float two = TWO; result = ; // no value", 27),
            ("float two = 2.0 * BAD + TWO;", 19),
        ] {
            let text = format!("{head}void main() {{\n{line}\n}}\n");
            let error = Syntax::parse(&text, &[]).err().expect(line);
            assert_eq!((error.line, error.column), (4, column), "{line}");
            // The head of an assembled text is not counted.
            let error = Syntax::parse(&format!("#version 330\n#line 1\n{text}"), &[]);
            let error = error.err().expect(line);
            assert_eq!((error.line, error.column), (4, column), "{line}");
        }
    }
}
