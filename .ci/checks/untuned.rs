//! The table of what the runtime does not tune.

use crate::page::{Page, quoted};
use crate::source::Source;

/// What begins the note of such a constant.
const NOTE: &str = "untuned";

/// Each constant of the runtime whose docs say that it is untuned stands in the table once, with its file, and nothing else does.
pub(crate) fn check(sources: &[Source], page: &Page, faults: &mut Vec<String>) {
    let mut rows: Vec<_> = page
        .rows("Untuned")
        .filter_map(|(line, _, cells)| {
            let [name, file] = [cells.first()?, cells.get(1)?].map(|cell| quoted(cell));
            Some((line, format!("{} {}", file.first()?, name.first()?)))
        })
        .collect();
    for source in sources.iter().filter(|source| source.krate == "lyocell") {
        let name = source.path.strip_prefix("crates/lyocell/src/").unwrap_or(&source.path);
        for (line, constant) in constants(source) {
            let told = format!("{name} {constant}");
            match rows.iter().position(|(_, row)| *row == told) {
                Some(at) => drop(rows.remove(at)),
                None => faults.push(format!(
                    "{}:{line}: `{constant}` stands not once in the table `Untuned` of {}; add a row, or say by what it was tuned",
                    source.path, page.name
                )),
            }
        }
    }
    faults.extend(rows.iter().map(|(line, row)| {
        format!("{}:{line}: there is no untuned `{row}`; mend the row", page.name)
    }));
}

/// The constants whose comment has the note, with their lines.
fn constants(source: &Source) -> impl Iterator<Item = (usize, &str)> {
    let mut noted = false;
    source.comments.lines().zip(source.code.lines()).zip(1..).filter_map(
        move |((comment, code), line)| {
            noted |= comment.to_lowercase().contains(NOTE);
            let code = code.trim();
            if code.is_empty() || code.starts_with('#') {
                return None;
            }
            let is_noted = std::mem::take(&mut noted);
            let (_, rest) = code.split_once("const ").filter(|_| is_noted)?;
            Some((line, rest.split(':').next().unwrap_or_default()))
        },
    )
}
