//! Empty: this package exists for its manifest, see there.
