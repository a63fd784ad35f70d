//! Builds the `lace` engine: the original C Lace and our C programs against its header.
//!
//! The sources of Lace come from the crate `lace-native`, which brings them unchanged in `vendor/`.
//! Its own build script stops where there is no C compiler; so we do not depend on it but on its
//! files, through the manifest in `lace/`, and compile them here. Whatever fails on the way leaves the
//! engine out, with one line that says why, and never fails the build.
//!
//! Sets `cfg(lace)` when the engine is there, and `LYOCELL_LACE` to its description or to the reason
//! of its absence.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use cargo_metadata::MetadataCommand;

const LACE_CRATE: &str = "lace-native";

/// Our C programs, one a workload.
const PROGRAMS: [&str; 5] = ["fib", "queens", "uts", "matmul", "stress"];

/// What `lace-native` writes with its default features: no statistics (they cost a counter per
/// spawn), idle workers back off, no hwloc.
const LACE_CONFIG: &str = "#define LACE_PIE_TIMES 0\n\
                           #define LACE_COUNT_TASKS 0\n\
                           #define LACE_COUNT_STEALS 0\n\
                           #define LACE_COUNT_SPLITS 0\n\
                           #define LACE_BACKOFF 1\n\
                           #define LACE_USE_HWLOC 0\n";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=csrc");
    println!("cargo::rerun-if-changed=lace/Cargo.lock");
    println!("cargo::rustc-check-cfg=cfg(lace)");
    let description = match build_lace() {
        Ok(description) => {
            println!("cargo::rustc-cfg=lace");
            description
        }
        Err(error) => {
            let reason = error.to_string().replace('\n', " ");
            println!("cargo::warning=the engine `lace` is left out: {reason}");
            reason
        }
    };
    println!("cargo::rustc-env=LYOCELL_LACE={description}");
}

fn build_lace() -> Result<String, Box<dyn Error>> {
    let manifest_dir = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let (vendor, crate_version) = lace_sources(&manifest_dir)?;
    let config_dir = PathBuf::from(env::var("OUT_DIR")?).join("lace_config");
    fs::create_dir_all(&config_dir)?;
    let affinity = u8::from(env::var("CARGO_CFG_TARGET_OS")? == "linux");
    fs::write(
        config_dir.join("lace_config.h"),
        format!("{LACE_CONFIG}#define HAVE_SCHED_GETAFFINITY {affinity}\n"),
    )?;

    let mut build = cc::Build::new();
    build.std("c11").opt_level(3).warnings(false).define("_GNU_SOURCE", None);
    build.include(&vendor).include(&config_dir).file(vendor.join("lace.c"));
    for program in PROGRAMS {
        build.file(manifest_dir.join("csrc").join(program).with_extension("c"));
    }
    let failed = |error: cc::Error| format!("no C compiler on this machine builds it ({error})");
    let compiler = build.try_get_compiler().map_err(failed)?;
    build.try_compile("lyocell_lace").map_err(failed)?;
    let compiler = compiler.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(format!("Lace {} from {LACE_CRATE} {crate_version}, {compiler} -O3", version(&vendor)))
}

/// The folder of Lace's sources, downloaded by cargo if need be, and the version of the crate.
fn lace_sources(manifest_dir: &Path) -> Result<(PathBuf, String), Box<dyn Error>> {
    let metadata = MetadataCommand::new()
        .manifest_path(manifest_dir.join("lace").join("Cargo.toml"))
        .other_options(["--locked".to_owned()])
        .exec()
        .map_err(|error| format!("cargo cannot get the crate {LACE_CRATE} ({error})"))?;
    let package = metadata
        .packages
        .iter()
        .find(|package| package.name.as_str() == LACE_CRATE)
        .ok_or("the manifest in lace/ does not name it")?;
    let root = package.manifest_path.parent().ok_or("its manifest has no folder")?;
    Ok((root.join("vendor").into(), package.version.to_string()))
}

/// The version that `lace-native` notes beside Lace's sources.
fn version(vendor: &Path) -> String {
    let note = fs::read_to_string(vendor.join("VERSION")).unwrap_or_default();
    let version = note.lines().find_map(|line| line.strip_prefix("Version:"));
    version.map_or_else(|| "of unknown version".to_owned(), |version| version.trim().to_owned())
}
