//! The claims in Markdown, for `report.md` and for the papers' pages.

use super::json::Entry;
use crate::claim::{Table, Verdict};

/// A table of the claims, the reasons of those that are not reproduced, and a list of everything else that was found,
/// which opens. Names and links are relative to `folder`, which is a paper's or empty.
pub fn claims(claims: &[&Entry], folder: &str) -> String {
    let within = |path: &str| {
        let inside = path.strip_prefix(folder).and_then(|path| path.strip_prefix('/'));
        inside.unwrap_or(path).to_owned()
    };
    let mut table = Table::new("", ["claim", "the paper", "here", "verdict"]);
    let (mut reasons, mut found) = (String::new(), String::new());
    for claim in claims {
        let name = within(&claim.anchor());
        let (section, statement) = (&claim.section, &claim.statement);
        let first = format!("<a id=\"{name}\"></a>`{name}` ({section}). {statement}");
        let others = [claim.paper.clone(), claim.here(), claim.result()];
        table.row([first].into_iter().chain(others));
        let variant = match claim.variant.as_str() {
            "paper" => "",
            "ours" => "; fragstream's variant",
            "paper, in part" => "; the paper's in part",
            _ => "; beyond the paper's card",
        };
        let kind = format!("- `{name}`: {}, by {}{variant}.", claim.class, claim.basis());
        let mut remarks = vec![kind, format!("{}.", claim.measured())];
        let why = [&*claim.why, &claim.undecided_by()].join(" ");
        match claim.verdict == Verdict::Reproduced || why.trim().is_empty() {
            true => remarks.push(claim.why.clone()),
            false => reasons += &format!("- `{name}`: {}\n", why.trim()),
        }
        remarks.push(claim.trust());
        let model = claim.model();
        if !model.is_empty() {
            remarks.push(format!("Model: {model}."));
        }
        let figures = claim.figures.iter().map(|figure| &figure.file);
        let files = figures.chain(claim.tables.iter().map(|table| &table.file));
        let files: Vec<String> = files.map(|file| format!("[{0}]({0})", within(file))).collect();
        remarks.push(files.join(", "));
        remarks.retain(|remark| !remark.is_empty());
        found += &format!("{}\n", remarks.join(" "));
    }
    if !reasons.is_empty() {
        reasons = format!("\nReasons, where they are known:\n\n{reasons}");
    }
    format!(
        "{}{reasons}\n<details>\n\
         <summary>Class and basis of each verdict, remarks, figures and tables</summary>\n\n{found}\n\
         </details>\n",
        table.markdown(|_| false)
    )
}
