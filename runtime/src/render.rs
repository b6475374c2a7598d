//! Texts made of borrowed pieces.

use core::fmt::{self, Write};

/// What `Display`, `len` and `write_to` of a rendered text have in common.
pub(crate) trait Render {
    /// Writes the text.
    fn render(&self, out: &mut dyn Write) -> fmt::Result;
}

/// Counts instead of keeping: the length of a text without the text.
#[derive(Default)]
struct Length(usize);

impl Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

pub(crate) fn len(text: &dyn Render) -> usize {
    let mut length = Length::default();
    // Counting cannot fail.
    let _ = text.render(&mut length);
    length.0
}

/// Gives a type that implements [`Render`] its public face.
macro_rules! rendered {
    ($type:ident) => {
        impl $type<'_> {
            /// The length of the rendered text in UTF-8 bytes.
            #[must_use]
            pub fn len(&self) -> usize {
                $crate::render::len(self)
            }

            /// Whether the rendered text is empty.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Writes the rendered text, without allocating.
            ///
            /// # Errors
            /// Whatever `out` fails with.
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
