//! The code map.

use crate::page::{Page, quoted};
use crate::source::Source;
use std::collections::BTreeSet;
use std::path::Path;

/// Folders that the code map need not tell file by file.
const TOLD_AS_ONE: [&str; 3] = ["tests/", "examples/", "benches/"];

pub(crate) fn check(root: &Path, sources: &[Source], map: &Page, faults: &mut Vec<String>) {
    // Paths told in a row of their own, and folders with what their rows name.
    let (mut files, mut folders) = (BTreeSet::new(), Vec::new());
    for (line, base, cells) in map.rows("Code map") {
        for path in quoted(cells[0]) {
            let path = format!("{}/{path}", base.trim_end_matches('/'));
            if !root.join(&path).exists() {
                faults.push(format!("{}:{line}: there is no `{path}`; take it out of the code map, or mend its name", map.name));
            }
            if path.ends_with('/') {
                folders.push((
                    path.clone(),
                    quoted(&cells.join(" ")).into_iter().map(str::to_owned).collect::<Vec<_>>(),
                ));
            }
            if files.contains(&path) {
                faults.push(format!("{}:{line}: `{path}` stands twice in the code map", map.name));
            }
            files.insert(path);
        }
    }
    for source in sources {
        let path = source.path.as_str();
        let told = folders.iter().any(|(folder, names)| {
            path.strip_prefix(folder.as_str()).is_some_and(|name| {
                let short = name.trim_end_matches(".rs");
                name == "mod.rs"
                    || TOLD_AS_ONE.iter().any(|one| folder.ends_with(&format!("/{one}")))
                    || names.iter().any(|named| named == name || named == short)
            })
        });
        if !told && !files.contains(path) {
            faults.push(format!("{path}:1: stands nowhere in {}'s code map; give it a row, or name it in its folder's", map.name));
        }
    }
}
