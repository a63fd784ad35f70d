//! There is nothing to build. Cargo asks for a build script where `links` is set, and that is set so that no program
//! has two packages that call themselves rayon-core.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
}
