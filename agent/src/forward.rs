//! Implementing a trait for pointers to its implementors.

/// Implements a trait for `&T`, `Box<T>` and `Arc<T>`, from the signatures of its methods.
macro_rules! forward {
    ($trait:ident $methods:tt) => {
        forward!(@ $trait, &T, $methods);
        forward!(@ $trait, alloc::boxed::Box<T>, $methods);
        forward!(@ $trait, alloc::sync::Arc<T>, $methods);
    };
    (@ $trait:ident, $pointer:ty, {$(
        fn $method:ident $(<$lifetime:lifetime>)? (&$($borrow:lifetime)? self $(, $argument:ident: $type:ty)*) -> $result:ty;
    )*}) => {
        impl<T: $trait + ?Sized> $trait for $pointer {$(
            fn $method $(<$lifetime>)? (&$($borrow)? self $(, $argument: $type)*) -> $result {
                (**self).$method($($argument),*)
            }
        )*}
    };
}

pub(crate) use forward;
