//! Builds the engines in C: the original Lace, the `lace.c` of every program against its header, and the `serial.c` of
//! those with short tasks.
//!
//! The sources of Lace come from the crate `lace-native`, which brings them unchanged in `vendor/`.
//! Its own build script stops where there is no C compiler; so we do not depend on it but on its
//! files: `cargo vendor` copies them as the manifest in `lace-sources/` says, and they are compiled here.
//! Whatever fails on the way leaves the engine out, with one line that says why, and never fails the build.
//!
//! Sets `cfg(lace)` when they are there, and `LYOCELL_LACE` to its description or to the reason
//! of its absence; and `LYOCELL_RUSTC` to the version of the Rust compiler.
//!
//! Which flags are the best is measured by `.ci/lace-flags`, which builds with others: `LYOCELL_LACE_FLAGS` takes the place of
//! [`OPTIMIZATION`], `LYOCELL_LACE_BACKOFF` that of [`BACKOFF`].

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const LACE_CRATE: &str = "lace-native";

/// The programs in C, in the folders that have them.
const PROGRAM_FILES: [&str; 2] = ["lace.c", "serial.c"];

/// As Lace's own users compile: into a position-independent executable, where a call may be inlined and split (`cc`
/// would compile for a shared library, where it may be neither), and without a frame pointer or debug information.
/// The level is Lace's best here: results/README.md, "Lace at its best".
const OPTIMIZATION: &str = "-O2";
const EXECUTABLE: [&str; 2] = ["-fPIE", "-fomit-frame-pointer"];

/// Optimises `lace.c` and the programs as a whole; gcc only.
const LINK_TIME: &str = "-flto";

/// Without it a C compiler may round a product and a sum once, where Rust rounds twice, and trees would differ.
const SAME_NUMBERS: &str = "-ffp-contract=off";

/// Whether an idle worker of Lace yields its processor after each failed steal and in the end sleeps: 1 or 0. Without, a
/// steal has the better median, and nothing is dearer beyond its range where each worker has a processor: the same section.
const BACKOFF: &str = "0";

/// What `lace-native` writes with its default features: no statistics (they cost a counter per
/// spawn), no hwloc.
const LACE_CONFIG: &str = "#define LACE_PIE_TIMES 0\n\
                           #define LACE_COUNT_TASKS 0\n\
                           #define LACE_COUNT_STEALS 0\n\
                           #define LACE_COUNT_SPLITS 0\n\
                           #define LACE_USE_HWLOC 0\n";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Any folder may be a program in C to come.
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=lace-sources/Cargo.lock");
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
    println!("cargo::rustc-env=LYOCELL_RUSTC={}", rust_compiler());
}

fn build_lace() -> Result<String, Box<dyn Error>> {
    let manifest_dir = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out_dir = PathBuf::from(env::var("OUT_DIR")?);
    let sources = lace_sources(&manifest_dir, &out_dir)?;
    let config_dir = out_dir.join("lace_config");
    fs::create_dir_all(&config_dir)?;
    let affinity = u8::from(env::var("CARGO_CFG_TARGET_OS")? == "linux");
    let backoff = variable("LYOCELL_LACE_BACKOFF", BACKOFF);
    fs::write(
        config_dir.join("lace_config.h"),
        format!(
            "{LACE_CONFIG}#define LACE_BACKOFF {backoff}\n#define HAVE_SCHED_GETAFFINITY {affinity}\n"
        ),
    )?;

    let optimization = variable("LYOCELL_LACE_FLAGS", OPTIMIZATION);
    let mut build = cc::Build::new();
    build.std("c11").warnings(false).define("_GNU_SOURCE", None);
    build.pic(false).force_frame_pointer(false).debug(false);
    let flags: Vec<&str> = optimization.split_whitespace().chain(EXECUTABLE).collect();
    for flag in flags.iter().copied().chain([SAME_NUMBERS]) {
        build.flag_if_supported(flag);
    }
    build.include(&sources).include(&config_dir);
    build.file(sources.join("lace.c"));
    build.files(programs(&manifest_dir.join("src"))?);
    let failed = |error: cc::Error| format!("no C compiler on this machine builds it ({error})");
    let compiler = build.try_get_compiler().map_err(failed)?;
    if flags.contains(&LINK_TIME) {
        let objects = build.try_compile_intermediates().map_err(failed)?;
        build = cc::Build::new();
        build.object(linked(&compiler, &objects, &out_dir)?);
    }
    build.try_compile("lyocell_lace").map_err(failed)?;
    let compiler = compiler.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
    let backoff = if backoff == "0" { "no backoff" } else { "backoff" };
    Ok(format!("Lace {}, {compiler} {}, {backoff}", version(&sources), flags.join(" ")))
}

/// What an environment variable says, if it is set; when that changes, this is built again.
fn variable(name: &str, otherwise: &str) -> String {
    println!("cargo::rerun-if-env-changed={name}");
    env::var(name).unwrap_or_else(|_| otherwise.to_owned())
}

/// One object of all, optimised as a whole: the linker of a Rust program knows nothing of what gcc left to it.
fn linked(
    compiler: &cc::Tool,
    objects: &[PathBuf],
    out_dir: &Path,
) -> Result<PathBuf, Box<dyn Error>> {
    let whole = out_dir.join("whole.o");
    let mut command = compiler.to_command();
    command.args(["-r", "-flinker-output=nolto-rel", "-o"]).arg(&whole).args(objects);
    let output = command.output()?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(format!("it cannot be optimised as a whole ({why})").into());
    }
    Ok(whole)
}

/// The programs in C of every folder that has some.
fn programs(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let folders = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
    let files =
        folders.iter().flat_map(|folder| PROGRAM_FILES.map(|file| folder.path().join(file)));
    let mut programs: Vec<PathBuf> = files.filter(|file| file.is_file()).collect();
    programs.sort();
    Ok(programs)
}

/// The folder of Lace's sources, which cargo downloads if need be.
fn lace_sources(manifest_dir: &Path, out_dir: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let vendor = out_dir.join("vendor");
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["vendor", "--quiet", "--locked", "--respect-source-config", "--manifest-path"])
        .arg(manifest_dir.join("lace-sources").join("Cargo.toml"))
        .arg(&vendor)
        .output()?;
    if !output.status.success() {
        let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(format!("cargo cannot get the crate {LACE_CRATE} ({why})").into());
    }
    Ok(vendor.join(LACE_CRATE).join("vendor"))
}

/// The version that `lace-native` notes beside Lace's sources, and its own.
fn version(sources: &Path) -> String {
    let line = |file: &Path, prefix: &str| {
        let text = fs::read_to_string(file).unwrap_or_default();
        let rest = text.lines().find_map(|line| line.strip_prefix(prefix)).map(str::to_owned);
        rest.unwrap_or_else(|| "of unknown version".to_owned())
    };
    let lace = line(&sources.join("VERSION"), "Version:");
    let package = line(&sources.with_file_name("Cargo.toml"), "version = ");
    format!("{} from {LACE_CRATE} {}", lace.trim(), package.trim_matches('"'))
}

fn rust_compiler() -> String {
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(compiler).arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    text.unwrap_or_else(|error| format!("rustc of unknown version ({error})"))
}
