//! The table of mutations.

use crate::page::{Page, quoted};
use crate::source::Source;
use crate::tokens::tokens;

/// Each row of the table: `CRATE/FILE`, `FUNCTION`, what is weakened, `MODEL` or why there is none.
pub(crate) fn check(sources: &[Source], page: &Page, faults: &mut Vec<String>) {
    let has =
        |source: &Source, word: &str| tokens(&source.code).iter().any(|token| token.0 == word);
    for (at, line) in page.lines.iter().enumerate().filter(|(_, line)| line.starts_with("| `")) {
        let cells: Vec<_> = line.split(" | ").map(quoted).collect();
        let [[file], [function], _, model] = [&cells[0][..], &cells[1][..], &[], &cells[3][..]]
        else {
            continue;
        };
        let here = format!("{}:{}", page.name, at + 1);
        let (krate, name) = file.split_once('/').unwrap_or_default();
        let path = format!("crates/{krate}/src/{name}");
        match sources.iter().find(|source| source.path == path) {
            None => faults.push(format!("{here}: there is no `{path}`; mend the row")),
            Some(source) if !has(source, function) => {
                faults.push(format!("{here}: `{path}` has no `{function}`; mend the row"));
            }
            Some(_) => {}
        }
        let Some((rooms, model)) = model.first().and_then(|model| model.rsplit_once("::")) else {
            continue;
        };
        let room = rooms.split("::").next().unwrap_or_default();
        // A test stands in the `tests` of its module, a model in the models of its room.
        let told = match rooms.strip_suffix("::tests") {
            Some(module) => format!("/src/{}/tests.rs", module.replace("::", "/")),
            None => format!("/src/models/{room}.rs"),
        };
        if !sources.iter().any(|source| source.path.ends_with(&told) && has(source, model)) {
            faults.push(format!(
                "{here}: there is no model `{model}` in models/{room}.rs, and no such test; mend the row"
            ));
        }
    }
}
