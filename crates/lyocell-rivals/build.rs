//! Builds the engines that this machine has, each into an archive that its program links.
//!
//! Whatever fails leaves the engine out, with the reason, and never fails the build. Sets `cfg(NAME)` for those that are
//! there, and `LYOCELL_RIVAL_NAME` to a description or to the reason of the absence.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// As their own users compile, and as Lace is: for a position-independent executable, without a frame pointer.
const FLAGS: [&str; 2] = ["-fPIE", "-fomit-frame-pointer"];

/// Without it a C compiler may round a product and a sum once, where Rust rounds twice, and trees would differ.
const SAME_NUMBERS: &str = "-ffp-contract=off";

/// Where headers are: ours, and the boards and nodes that the programs for Lace have too.
const OURS: [&str; 2] = ["engines", "../lyocell-workloads/src"];

/// How an engine is built.
struct Engine {
    /// The program is `lyocell-rival-` and this, with dashes.
    name: &'static str,
    source: &'static str,
    /// `None` for the usual one.
    compiler: Option<&'static str>,
    /// The better of 2 and 3.
    optimization: u32,
    flag: Option<&'static str>,
    /// What the program is linked with.
    link: &'static [&'static str],
    /// A header, and what it defines that tells the version, if it does.
    version: Option<(&'static str, &'static str)>,
    called: &'static str,
    /// Where to have it from.
    from: &'static str,
    /// What its own sources need, where they are given by a path.
    sources: Option<Given>,
}

/// Sources that are given by a path.
struct Given {
    /// The variable with the path.
    variable: &'static str,
    /// Where they may be in that folder.
    folders: &'static [&'static str],
    /// Which of them is needed: compiled, unless it is a header.
    file: &'static str,
    define: (&'static str, Option<&'static str>),
    /// A header that a script makes, and the script with its argument.
    made: Option<(&'static str, [&'static str; 2])>,
}

const ENGINES: [Engine; 5] = [
    Engine {
        name: "openmp",
        source: "engines/openmp.cpp",
        compiler: None,
        optimization: 2,
        flag: Some("-fopenmp"),
        link: &["-fopenmp"],
        version: Some(("omp.h", "_OPENMP")),
        called: "OpenMP",
        from: "a C++ compiler that knows -fopenmp, such as gcc",
        sources: None,
    },
    Engine {
        name: "openmp_clang",
        source: "engines/openmp.cpp",
        compiler: Some("clang++"),
        optimization: 2,
        flag: Some("-fopenmp"),
        link: &["-lomp"],
        version: Some(("omp.h", "_OPENMP")),
        called: "OpenMP",
        from: "clang++ and its libomp (Debian's clang and libomp-dev)",
        sources: None,
    },
    Engine {
        name: "tbb",
        source: "engines/tbb.cpp",
        compiler: None,
        optimization: 2,
        flag: None,
        link: &["-ltbb"],
        version: Some(("oneapi/tbb/version.h", "TBB_VERSION_STRING")),
        called: "oneTBB",
        from: "oneTBB with its headers (Debian's libtbb-dev)",
        sources: None,
    },
    Engine {
        name: "wool",
        source: "engines/wool.c",
        compiler: None,
        optimization: 3,
        flag: None,
        link: &["-lpthread"],
        version: None,
        called: "Wool",
        from: "Karl-Filip Faxén's sources of Wool, a folder with wool.c, wool-common.h and wool-gen.sh, in LYOCELL_WOOL",
        sources: Some(Given {
            variable: "LYOCELL_WOOL",
            folders: &["", "src"],
            file: "wool.c",
            // It would print times at its end.
            define: ("WOOL_TIME", Some("0")),
            made: Some(("wool.h", ["wool-gen.sh", "10"])),
        }),
    },
    Engine {
        name: "libfork",
        source: "engines/libfork.cpp",
        compiler: None,
        optimization: 2,
        flag: None,
        link: &["-lpthread"],
        version: Some(("libfork.hpp", "LF_VERSION_MAJOR . LF_VERSION_MINOR . LF_VERSION_PATCH")),
        called: "libfork",
        from: "Conor Williams's libfork, a folder with libfork.hpp or a clone of its repository, in LYOCELL_LIBFORK",
        sources: Some(Given {
            variable: "LYOCELL_LIBFORK",
            folders: &["", "include", "single_header"],
            file: "libfork.hpp",
            // It would check itself.
            define: ("NDEBUG", None),
            made: None,
        }),
    },
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=engines");
    for header in ["matmul/product.h", "queens/board.h", "uts/node.h"] {
        println!("cargo::rerun-if-changed=../lyocell-workloads/src/{header}");
    }
    for engine in &ENGINES {
        let name = engine.name;
        println!("cargo::rustc-check-cfg=cfg({name})");
        if let Some(given) = &engine.sources {
            println!("cargo::rerun-if-env-changed={}", given.variable);
        }
        let description = match build(engine) {
            Ok(description) => {
                println!("cargo::rustc-cfg={name}");
                description
            }
            Err(error) => format!("it needs {} ({error})", engine.from).replace('\n', " "),
        };
        println!("cargo::rustc-env=LYOCELL_RIVAL_{}={description}", name.to_uppercase());
    }
}

/// Compiles `engine`, has its program linked with it, and tells what it is.
fn build(engine: &Engine) -> Result<String, Box<dyn Error>> {
    let out_dir = PathBuf::from(env::var("OUT_DIR")?);
    let mut build = cc::Build::new();
    let cpp = engine.source.ends_with("pp");
    build.cpp(cpp).cpp_link_stdlib(None).warnings(false).cargo_metadata(false);
    build.std(if cpp { "c++20" } else { "gnu17" });
    build.opt_level(engine.optimization).pic(false).force_frame_pointer(false).debug(false);
    if let Some(compiler) = engine.compiler {
        build.compiler(compiler);
    }
    for flag in FLAGS.into_iter().chain([SAME_NUMBERS]).chain(engine.flag) {
        build.flag(flag);
    }
    build.includes(OURS);
    if let Some(given) = &engine.sources {
        add(given, &out_dir, &mut build)?;
    }
    let compiler = build.try_get_compiler()?;
    let version = engine.version.map(|named| version(&compiler, named)).transpose()?;
    let version = version.map_or_else(String::new, |version| format!(" {version}"));
    let archive = format!("lyocell_rival_{}", engine.name);
    build.file(engine.source).try_compile(&archive).map_err(|error| shortened(&error))?;
    link(engine, &out_dir.join(format!("lib{archive}.a")), compiler.path());
    let name = compiler.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
    let flags = FLAGS.into_iter().chain(engine.flag).collect::<Vec<_>>().join(" ");
    let compiler_version = first_line(Command::new(compiler.path()).arg("--version"))?;
    let (called, optimization) = (engine.called, engine.optimization);
    Ok(format!("{called}{version}; {name} -O{optimization} {flags} ({compiler_version})"))
}

/// Has sources that are given by a path compiled too.
fn add(given: &Given, out_dir: &Path, build: &mut cc::Build) -> Result<(), Box<dyn Error>> {
    let folder = env::var_os(given.variable).filter(|folder| !folder.is_empty());
    let folder = folder.ok_or_else(|| format!("{} is not set", given.variable))?;
    let mut folders = given.folders.iter().map(|within| Path::new(&folder).join(within));
    let missing = || format!("there is no {} in {}", given.file, Path::new(&folder).display());
    let found = folders.find(|folder| folder.join(given.file).is_file()).ok_or_else(missing)?;
    println!("cargo::rerun-if-changed={}", found.display());
    if let Some((header, script)) = given.made {
        make(header, script, &found, out_dir)?;
    }
    let (define, value) = given.define;
    build.include(&found).include(out_dir).define(define, value);
    if given.file.ends_with(".c") {
        build.file(found.join(given.file));
    }
    Ok(())
}

/// Has a script in `folder` make `header`, unless it is there.
fn make(
    header: &str,
    [script, argument]: [&str; 2],
    folder: &Path,
    out_dir: &Path,
) -> Result<(), Box<dyn Error>> {
    if folder.join(header).is_file() {
        return Ok(());
    }
    let output = Command::new("bash").arg(folder.join(script)).arg(argument).output()?;
    if !output.status.success() {
        return Err(format!("{script} fails: {}", output.status).into());
    }
    fs::write(out_dir.join(header), output.stdout)?;
    Ok(())
}

/// Has the engine's program linked with `archive` and what that needs.
fn link(engine: &Engine, archive: &Path, compiler: &Path) {
    let program = format!("lyocell-rival-{}", engine.name.replace('_', "-"));
    let pass = |argument: &str| println!("cargo::rustc-link-arg-bin={program}={argument}");
    pass(&archive.display().to_string());
    for argument in engine.link {
        let library = argument.strip_prefix("-l");
        if let Some(folder) = library.and_then(|library| folder_of(library, compiler)) {
            pass(&format!("-L{}", folder.display()));
            pass(&format!("-Wl,-rpath,{}", folder.display()));
        }
        pass(argument);
    }
    pass("-lstdc++");
}

/// Where the compiler keeps a library for itself, as clang does that of OpenMP: beside the folder of its own files.
fn folder_of(library: &str, compiler: &Path) -> Option<PathBuf> {
    let own = first_line(Command::new(compiler).arg("-print-resource-dir")).ok()?;
    let folder = Path::new(&own).parent()?.parent()?.to_owned();
    folder.join(format!("lib{library}.so")).is_file().then_some(folder)
}

/// What `header` says that `version` is.
fn version(compiler: &cc::Tool, (header, version): (&str, &str)) -> Result<String, Box<dyn Error>> {
    let mut command = compiler.to_command();
    command.args(["-E", "-P", "-x", "c++", "-include", header, "-"]);
    let output = with_input(&mut command, &format!("\nVERSION_IS {version}\n"))?;
    let line = output.lines().find_map(|line| line.trim().strip_prefix("VERSION_IS "));
    let line = line.filter(|&line| line != version);
    let line = line.ok_or_else(|| format!("there is no <{header}>"))?;
    Ok(line.replace(['"', ' '], ""))
}

/// What `command` makes of `input`.
fn with_input(command: &mut Command, input: &str) -> Result<String, Box<dyn Error>> {
    use std::io::Write;
    use std::process::Stdio;
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let mut stdin = child.stdin.take().ok_or("no standard input")?;
    stdin.write_all(input.as_bytes())?;
    drop(stdin);
    Ok(String::from_utf8_lossy(&child.wait_with_output()?.stdout).into_owned())
}

/// The first line that `command` prints.
fn first_line(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let output = command.output()?.stdout;
    let text = String::from_utf8_lossy(&output);
    Ok(text.lines().next().unwrap_or_default().trim().to_owned())
}

/// The first line of what went wrong.
fn shortened(error: &cc::Error) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}
