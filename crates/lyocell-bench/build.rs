//! Of which commit this program is, and a digest of the source of each program and case that it measures: kept runs name both.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Where programs and cases are: a folder or a file each.
const SOURCES: [&str; 2] = ["lyocell-workloads/src", "lyocell-queue-study/src/cases"];

fn main() {
    let own = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where this is"));
    let crates = own.parent().expect("it is in the folder of crates");
    // Whatever is compiled into the program may differ from the commit.
    println!("cargo::rerun-if-changed={}", crates.display());
    for file in ["HEAD", "index"] {
        if let Some(path) = git(&own, &["rev-parse", "--path-format=absolute", "--git-path", file])
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    println!("cargo::rustc-env=LYOCELL_COMMIT={}", commit(crates));

    let mut digests = Vec::new();
    for folder in SOURCES.map(|folder| crates.join(folder)) {
        for path in sorted(&folder) {
            let name = path.file_stem().expect("it has a name").to_string_lossy().replace('_', "-");
            let mut code = String::new();
            gather(&path, &mut code);
            digests.push((name, format!("{:016x}", digest(&code))));
        }
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where to write"));
    fs::write(out.join("programs.rs"), format!("&{digests:?}")).expect("it can be written");
}

/// The commit, and whether the sources differ from it.
fn commit(crates: &Path) -> String {
    let Some(commit) = git(crates, &["rev-parse", "--short=12", "HEAD"]) else {
        return "unknown".to_owned();
    };
    let changed =
        git(crates, &["status", "--porcelain", "--", ".", "../Cargo.lock", "../Cargo.toml"]);
    if changed.is_none_or(|changed| changed.is_empty()) { commit } else { commit + " with changes" }
}

fn git(folder: &Path, words: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(folder).args(words).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the sources are there");
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.sort();
    paths
}

/// Items that travel between ranks, which this program does not run.
const BAGS: &str = "items.rs";
/// What of a program is there for these alone stands between such lines.
const BAGS_BEGIN: &str = "// bags: begin";
const BAGS_END: &str = "// bags: end";

/// The code of a file or of all files below a folder: neither comments nor tests change what is measured, nor does what is for bags.
fn gather(path: &Path, code: &mut String) {
    if path.is_dir() {
        return sorted(path).iter().for_each(|path| gather(path, code));
    }
    if path.file_name().is_some_and(|name| name == BAGS) {
        return;
    }
    let text = fs::read(path).expect("it can be read");
    let text = String::from_utf8_lossy(&text);
    let lines = text.lines().map(str::trim).take_while(|line| *line != "#[cfg(test)]");
    let mut is_measured = true;
    for line in lines {
        match line {
            BAGS_BEGIN => is_measured = false,
            BAGS_END => is_measured = true,
            _ if is_measured && !line.is_empty() && !line.starts_with("//") => {
                code.push_str(line);
                code.push('\n');
            }
            _ => {}
        }
    }
}

/// FNV-1a: the same with every compiler.
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |digest, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}
