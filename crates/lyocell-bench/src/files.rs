//! Files that are written as a whole or not at all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Puts `text` into a file, in place of what it holds. If that fails, on a full disk say, the file is as it was before, and none
/// is left where there was none.
///
/// # Errors
/// It cannot be written; the error names the file.
pub(crate) fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let written = match fs::canonicalize(path) {
        // A device or a pipe has no content of its own.
        Ok(real) if !real.is_file() => fs::write(&real, text),
        Ok(real) => replace(&real, text),
        Err(_) => replace(path, text),
    };
    written.map_err(|error| named(path, &error))
}

/// The same error, with the name of the file.
pub(crate) fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write {}: {error}", path.display()))
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    let beside = beside(path);
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// A name in the same folder that nobody else has.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}", std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_and_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for text in ["one", "another"] {
            write_whole(&path, text).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_error_names_the_file() {
        let error = write_whole(Path::new("/nowhere/at/all"), "text").unwrap_err();
        assert!(error.to_string().contains("/nowhere/at/all"), "{error}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_device_is_named() {
        let error = write_whole(Path::new("/dev/full"), "text").unwrap_err();
        assert!(error.to_string().contains("/dev/full"), "{error}");
    }
}
