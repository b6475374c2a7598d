//! What every checked text has in common.

/// `Display` of a type that holds one `String`; with `borrow`, it can also be used and looked up as
/// the `str` it is.
#[doc(hidden)]
#[macro_export]
macro_rules! checked_text {
    ($name:ident) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
    ($name:ident, borrow) => {
        $crate::checked_text!($name);

        impl std::ops::Deref for $name {
            type Target = str;
            fn deref(&self) -> &str {
                &self.0
            }
        }

        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }
    };
}
