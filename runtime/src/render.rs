//! Text rendered from borrowed pieces.

use core::fmt::{self, Write};

/// The common part of `Display`, `len` and `write_to` of a rendered type.
pub(crate) trait Render {
    /// Writes the text.
    fn render(&self, out: &mut dyn Write) -> fmt::Result;
}

/// A writer that counts bytes without storing them, and fails after a number of them. The field is
/// the number of remaining bytes.
pub(crate) struct SizeLimit(pub(crate) usize);

impl Write for SizeLimit {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.checked_sub(text.len()).ok_or(fmt::Error)?;
        Ok(())
    }
}

pub(crate) fn len(text: &dyn Render) -> usize {
    let mut rest = SizeLimit(usize::MAX);
    // No text is longer.
    let _ = text.render(&mut rest);
    usize::MAX - rest.0
}

/// Implements the public methods and `Display` for a type that implements [`Render`].
macro_rules! rendered {
    ($type:ident) => {
        impl $type<'_> {
            /// Returns the length of the rendered text in UTF-8 bytes.
            #[must_use]
            pub fn len(&self) -> usize {
                $crate::render::len(self)
            }

            /// Returns whether the rendered text is empty.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Writes the rendered text.
            ///
            /// # Errors
            /// If `out` fails.
            pub fn write_to(&self, out: &mut dyn core::fmt::Write) -> core::fmt::Result {
                $crate::render::Render::render(self, out)
            }
        }

        impl core::fmt::Display for $type<'_> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                $crate::render::Render::render(self, f)
            }
        }
    };
}
pub(crate) use rendered;
