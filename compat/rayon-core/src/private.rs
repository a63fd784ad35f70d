//! A marker that only this package can name, so that only it can implement the traits that ask for one.

/// Nobody outside can name this.
#[derive(Debug)]
pub struct PrivateMarker;

macro_rules! private_decl {
    () => {
        /// Only this package can write this.
        #[doc(hidden)]
        fn __rayon_private__(&self) -> $crate::private::PrivateMarker;
    };
}

macro_rules! private_impl {
    () => {
        fn __rayon_private__(&self) -> $crate::private::PrivateMarker {
            $crate::private::PrivateMarker
        }
    };
}
