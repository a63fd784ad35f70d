//! What programs may rely on of the interface besides its functions: what the compiler infers from its traits, and what its
//! types and errors are in text. `.ci/drop-in --interface` compares the items and the traits themselves with rayon-core's.

mod common;

use common::{part, play, text_of};
use rayon_core::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use std::error::Error;
use std::io;
use std::marker::PhantomData;

/// Valid only while nothing converts into the error but itself: the compiler must find out the closure's type of error.
#[test]
fn the_type_of_an_error_is_inferred() {
    let threads = (|| {
        let pool = ThreadPoolBuilder::new().num_threads(1).build()?;
        Ok(pool.current_num_threads())
    })();
    let threads: Result<usize, ThreadPoolBuildError> = threads;
    assert_eq!(threads.unwrap(), 1);
    #[allow(clippy::useless_conversion)]
    fn built() -> Result<usize, ThreadPoolBuildError> {
        let pool = ThreadPoolBuilder::new().num_threads(1).build().map_err(Into::into)?;
        Ok(pool.current_num_threads())
    }
    assert_eq!(built().unwrap(), 1);
}

/// Whether a type is unwind safe, for one that need not be: the inherent constant is there only if it is.
struct UnwindSafe<T: ?Sized>(PhantomData<T>);
trait Otherwise {
    const IS: bool = false;
}
impl<T: ?Sized> Otherwise for UnwindSafe<T> {}
impl<T: ?Sized + std::panic::UnwindSafe> UnwindSafe<T> {
    const IS: bool = true;
}

#[test]
fn a_pool_is_no_more_unwind_safe_than_rayons() {
    const { assert!(UnwindSafe::<String>::IS) }
    const { assert!(!UnwindSafe::<ThreadPool>::IS && !UnwindSafe::<&ThreadPool>::IS) }
}

fn no_thread() -> ThreadPoolBuildError {
    let refuse = |_| Err(io::Error::from(io::ErrorKind::OutOfMemory));
    ThreadPoolBuilder::new().num_threads(1).spawn_handler(refuse).build().unwrap_err()
}

fn already_a_worker() -> ThreadPoolBuildError {
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let again = || ThreadPoolBuilder::new().use_current_thread().build().map(drop);
    pool.install(again).unwrap_err()
}

#[test]
#[allow(deprecated)]
fn errors_are_told_in_rayons_words() {
    let error = already_a_worker();
    let text = "The current thread is already part of another thread pool.";
    assert_eq!((error.to_string().as_str(), error.description()), (text, text));
    assert_eq!(format!("{error:.11}|{error:>64}"), format!("The current|{text:>64}"));
    assert_eq!(format!("{error:?}"), "ThreadPoolBuildError { kind: CurrentThreadAlreadyInPool }");
    assert!(error.source().is_none());
    let error = no_thread();
    assert_eq!(error.to_string(), "out of memory");
    assert_eq!(error.description(), io::Error::from(io::ErrorKind::OutOfMemory).description());
    assert_eq!(format!("{error:?}"), "ThreadPoolBuildError { kind: IOError(Kind(OutOfMemory)) }");
    assert!(error.source().is_some_and(|source| source.is::<io::Error>()));
}

#[test]
#[allow(deprecated)]
fn types_are_named_as_rayons() {
    use rayon_core::{
        BroadcastContext, Configuration, FnContext, Scope, ScopeFifo, ThreadBuilder, Yield,
    };
    use std::any::type_name;
    for (name, rayons) in [
        (type_name::<BroadcastContext<'_>>(), "rayon_core::broadcast::BroadcastContext"),
        (type_name::<Configuration>(), "rayon_core::Configuration"),
        (type_name::<FnContext>(), "rayon_core::FnContext"),
        (type_name::<Scope<'_>>(), "rayon_core::scope::Scope"),
        (type_name::<ScopeFifo<'_>>(), "rayon_core::scope::ScopeFifo"),
        (type_name::<ThreadBuilder>(), "rayon_core::registry::ThreadBuilder"),
        (type_name::<ThreadPool>(), "rayon_core::thread_pool::ThreadPool"),
        (type_name::<ThreadPoolBuildError>(), "rayon_core::ThreadPoolBuildError"),
        (type_name::<ThreadPoolBuilder>(), "rayon_core::ThreadPoolBuilder"),
        (type_name::<Yield>(), "rayon_core::thread_pool::Yield"),
    ] {
        // Lifetimes and defaults are written by some compilers only.
        assert_eq!(name.split('<').next(), Some(rayons));
    }
}

/// The first call tells why there is no global pool, later ones that there was to be one. As rayon-core.
#[test]
#[cfg(target_os = "linux")]
fn without_a_global_pool_a_panic_says_so() {
    let test = "without_a_global_pool_a_panic_says_so";
    let says = "The global thread pool has not been initialized.: ThreadPoolBuildError { kind: ";
    if part().is_some() {
        let panic = || std::panic::catch_unwind(rayon_core::current_num_threads).unwrap_err();
        // A stack that no address space has room for.
        let texts = [panic(), panic()].map(|panic| *panic.downcast::<String>().unwrap());
        assert!(texts[0].starts_with(&format!("{says}IOError(")), "{texts:?}");
        assert_eq!(texts[1], format!("{says}GlobalPoolAlreadyInitialized }}"));
        return;
    }
    let output = play(test, "alone", &[("RUST_MIN_STACK", "281474976710656")]);
    assert!(output.status.success(), "{}", text_of(&output));
}
