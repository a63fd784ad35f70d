//! `lyocell drop-in`.

use crate::common::{assert_refused, csv_of, lyocell, stderr, stdout};
use std::fs;

#[test]
fn programs_run_on_rayon_and_on_the_drop_in() {
    let words = ["drop-in", "--workers", "2", "--pairs", "2", "--program", "sum-10k,sum-100"];
    let (header, rows) = csv_of(&words);
    assert_eq!(
        header.iter().collect::<Vec<_>>(),
        [
            "program",
            "workers",
            "pair",
            "rayon_ns",
            "lyocell_ns",
            "rayon_processor_ns",
            "lyocell_processor_ns",
            "rayon_kb",
            "lyocell_kb"
        ]
    );
    let of: Vec<_> = rows.iter().map(|row| (&row[0], &row[1], &row[2])).collect();
    let pairs = |program| [(program, "2", "0"), (program, "2", "1")];
    assert_eq!(of, [pairs("sum-10k"), pairs("sum-100")].concat());
    for row in &rows {
        assert!((3..9).all(|column| row[column].parse::<u64>().unwrap() > 0), "{row:?}");
    }
    let output = lyocell(&["drop-in", "--workers", "1,2", "--pairs", "1", "--program", "sum-100"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let table = stdout(&output);
    assert!(table.contains("sum-100") && table.contains("geometric mean"), "{table}");
}

/// A folder with the manifests of packages that do not build, and this list of programs.
fn packages_that_do_not_build(list: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for kind in ["plain", "patched"] {
        fs::create_dir(folder.path().join(kind)).unwrap();
        fs::write(folder.path().join(kind).join("Cargo.toml"), "").unwrap();
    }
    fs::write(folder.path().join("programs.txt"), list).unwrap();
    folder
}

#[test]
fn a_program_that_there_is_not_is_refused_before_anything_is_built() {
    let no_builds = packages_that_do_not_build("one\ntwo\n");
    let of =
        |program| ["drop-in", "--program", program, "--folder", no_builds.path().to_str().unwrap()];
    assert_refused(&of("one,nope"), &["no program nope", "one and two"]);
    let output = lyocell(&of("one"));
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("cargo cannot build"), "{}", stderr(&output));
    assert_refused(&["drop-in", "--program", "speed"], &["speed", "par-sort"]);
    assert_refused(&["drop-in", "--published", "--program", "speed"], &["speed", "oxidd"]);
}

#[test]
fn a_document_has_the_table_of_what_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).display().to_string();
    let (kept, page) = (place("new/kept.csv"), place("page.md"));
    let words = ["drop-in", "--workers", "1", "--pairs", "1", "--program", "sum-100"];
    let output = lyocell(&[&words[..], &["--keep", &kept]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let text = fs::read_to_string(&kept).unwrap();
    assert!(text.starts_with("# machine: lyocell"), "{text}");
    fs::write(&page, "<!-- results: drop-in -->\n<!-- end -->\n").unwrap();
    let read = |option| lyocell(&["drop-in", "--read", &kept, option, &page]);
    assert_eq!(read("--check").status.code(), Some(1));
    assert!(read("--write").status.success());
    assert!(read("--check").status.success());
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("| sum-100 | ") && text.contains("Measured with 1 thread, "), "{text}");
    assert!(stdout(&lyocell(&["drop-in", "--read", &kept])).contains("geometric mean"));
}

#[test]
fn what_cannot_be_is_refused() {
    assert_refused(&["drop-in", "--pairs", "0"], &["--pairs", "at least 1"]);
    assert_refused(&["drop-in", "--workers", "0"], &["--workers", "1 to"]);
    assert_refused(&["drop-in", "--folder", "/nowhere"], &["/nowhere", "--folder"]);
    let published = ["drop-in", "--published", "--folder", "/nowhere"];
    assert_refused(&published, &["/nowhere/published", "--folder"]);
    assert_refused(&["drop-in", "--read", "/nowhere.csv"], &["/nowhere.csv"]);
    assert_refused(&["drop-in", "--read", "a.csv", "--published"], &["--published"]);
    assert_refused(&["drop-in", "--check", "README.md"], &["--read"]);
}
