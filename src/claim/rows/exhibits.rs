//! Tables and bars of a row.

use serde::Deserialize;

use super::check::{Results, interval};
use super::file::{Ordered, Placed, Text};
use super::line::{Reading, with};
use super::{BoxedError, Row};
use crate::base::expression::{Expression, Quantity};
use crate::claim::{Cell, Run, Table};
use crate::picture::plot::{self, Axis, Group};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableText {
    caption: String,
    columns: Vec<String>,
    /// A text, and an expression for each further column; an empty one is a missing cell.
    rows: Vec<Vec<Text>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BarsText {
    title: String,
    axis: String,
    caption: String,
    over: Text,
    groups: Ordered<Text>,
}

impl Placed for TableText {
    fn place(&self) -> usize {
        self.rows.first().and_then(|row| row.first()).map_or(0, Placed::place)
    }
}

impl Placed for BarsText {
    fn place(&self) -> usize {
        self.over.place()
    }
}

/// A table.
#[derive(Debug)]
pub struct Rows {
    name: String,
    caption: String,
    columns: Vec<String>,
    rows: Vec<(String, Vec<Option<Expression>>)>,
}

/// Bars: groups of a value for each word of a list.
#[derive(Debug)]
pub struct Bars {
    name: String,
    title: String,
    axis: String,
    caption: String,
    words: Vec<String>,
    groups: Vec<(String, Vec<Expression>)>,
}

/// The tables; a row whose first cell has a list is one for each of its words.
pub fn tables(reading: &Reading<'_>, texts: Ordered<TableText>) -> Result<Vec<Rows>, BoxedError> {
    let table = |(name, TableText { caption, columns, rows: texts })| {
        let mut rows = Vec::new();
        for row in &texts {
            let Some((head, cells)) = row.split_first() else { continue };
            let (list, words) = reading.shared.words(reading.source, head)?;
            for word in words {
                let cell = |text: &Text| match text.get_ref().is_empty() {
                    true => Ok(None),
                    false => reading.expression(text, [list, word]).map(Some),
                };
                let cells = cells.iter().map(cell).collect::<Result<_, _>>()?;
                rows.push((with(head.get_ref(), [list, &word.replace('_', "-")]), cells));
            }
        }
        Ok(Rows { name, caption, columns, rows })
    };
    texts.0.into_iter().map(table).collect()
}

/// The bars.
pub fn bars(reading: &Reading<'_>, texts: Ordered<BarsText>) -> Result<Vec<Bars>, BoxedError> {
    let bars = |(name, BarsText { title, axis, caption, over, groups })| {
        let (list, words) = reading.shared.list(reading.source, &over, over.get_ref())?;
        let group = |(label, text): (String, Text)| {
            let each = words.iter().map(|word| reading.expression(&text, [list, word]));
            Ok::<_, BoxedError>((label, each.collect::<Result<_, _>>()?))
        };
        let groups = groups.0.into_iter().map(group).collect::<Result<_, _>>()?;
        let words = words.iter().map(|word| word.replace('_', "-")).collect();
        Ok(Bars { name, title, axis, caption, words, groups })
    };
    texts.0.into_iter().map(bars).collect()
}

impl Row {
    /// Shows its tables and bars.
    pub(super) fn exhibit(
        &self,
        run: &mut Run<'_>,
        results: &Results<'_>,
    ) -> Result<(), BoxedError> {
        let cell = |of: &Option<Expression>| {
            Ok::<Cell, BoxedError>(match of {
                None => Cell::Missing,
                Some(of) => match results.value(of)? {
                    Quantity::One(one) => one.into(),
                    several => interval(several).into(),
                },
            })
        };
        for Rows { name, caption, columns, rows } in &self.tables {
            let mut table = Table::new(caption, columns.clone());
            for (head, cells) in rows {
                let cells = cells.iter().map(cell).collect::<Result<Vec<_>, _>>()?;
                table.push([head.clone().into()].into_iter().chain(cells));
            }
            run.table(name, table);
        }
        for Bars { name, title, axis, caption, words, groups } in &self.bars {
            let group = |(label, each): &(String, Vec<Expression>)| {
                let values = each.iter().map(|of| Ok(Some(interval(results.value(of)?))));
                Ok::<_, BoxedError>(Group::new(
                    label.clone(),
                    values.collect::<Result<Vec<_>, String>>()?,
                ))
            };
            let groups = groups.iter().map(group).collect::<Result<Vec<_>, _>>()?;
            let axis = Axis::linear(axis.clone());
            let drawn = plot::Bars::new(title.clone(), axis, words.clone(), groups);
            run.bars(name, caption, &drawn)?;
        }
        Ok(())
    }
}
