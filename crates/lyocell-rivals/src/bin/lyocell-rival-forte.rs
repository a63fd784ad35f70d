//! forte, with the feature of its name.

fn main() -> std::process::ExitCode {
    lyocell_rivals::main(Some(lyocell_rivals::forte::start), lyocell_rivals::forte::ABOUT)
}
