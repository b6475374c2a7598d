//! Traits that all checked text types share.

/// Implements `as_str` and `Display` for a type that wraps one `String`; with `borrow`, also
/// `Deref` to and `Borrow` of `str`.
#[doc(hidden)]
#[macro_export]
macro_rules! checked_text {
    ($name:ident) => {
        impl $name {
            /// Returns the text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

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
