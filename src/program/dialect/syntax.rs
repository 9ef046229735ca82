//! The syntax tree of one program, with line numbers.

use glsl_lang::ast::{
    self, DeclarationData, ExternalDeclarationData, FunctionDefinition, Node, NodeContent,
    TranslationUnit,
};
use glsl_lang::parse::{DefaultParse, ParseContext};

use super::declaration::{Global, declared};
use super::preprocess::{SyntaxError, preprocess};
use super::size;

/// A parsed program.
pub(crate) struct Syntax {
    unit: TranslationUnit,
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
            .map_err(|error| SyntaxError {
                line: error.line.saturating_sub(head),
                ..error
            })?;
        let context = ParseContext::new();
        context.add_type_name(ast::IdentifierData::from("stream").into());
        let parsed = <TranslationUnit as DefaultParse>::parse_with_context(&text, &context);
        match parsed {
            Ok((unit, ..)) => Ok(Syntax { unit, text, head }),
            Err(error) => {
                let offset = u32::from(error.pos().start()) as usize;
                Err(SyntaxError {
                    line: line_at(&text, offset).saturating_sub(head),
                    message: error.inner().to_string(),
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

    /// Text of a node.
    pub(crate) fn text_of<T: NodeContent>(&self, node: &Node<T>) -> &str {
        let range = node.span.map(|span| span.range());
        let range = range.map(|r| u32::from(r.start()) as usize..u32::from(r.end()) as usize);
        range
            .and_then(|range| self.text.get(range))
            .unwrap_or("")
            .trim()
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
                line: self.line(list),
                declaration: list,
            })
        })
    }
}

fn line_at(text: &str, offset: usize) -> u32 {
    let before = text.as_bytes().iter().take(offset);
    1 + before.filter(|&&byte| byte == b'\n').count() as u32
}
