//! Text rendered from borrowed pieces.

use core::fmt::{self, Write};

/// The common part of `Display`, `len` and `write_to` of a rendered type.
pub(crate) trait Render {
    /// Writes the text.
    fn render(&self, out: &mut dyn Write) -> fmt::Result;
}

/// A writer that counts bytes without storing them.
#[derive(Default)]
struct Length(usize);

impl Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

/// A writer that fails after a number of bytes. The field is the number of remaining bytes.
pub(crate) struct SizeLimit(pub(crate) usize);

impl Write for SizeLimit {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.checked_sub(text.len()).ok_or(fmt::Error)?;
        Ok(())
    }
}

/// The error if a buffer is too small for a text.
///
/// ```
/// use helix_skills::{Skill, skill_set, SkillSet};
/// # const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Use `pdftotext`.").build();
/// # static SKILLS: SkillSet = skill_set![PDF];
/// let loaded = SKILLS.load_skill("pdf")?;
/// let error = loaded.write_into(&mut [0; 16]).unwrap_err();
/// assert_eq!(error.needed, loaded.len());
/// # Ok::<(), helix_skills::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferTooSmall {
    /// Number of bytes that the text needs.
    pub needed: usize,
}

impl fmt::Display for BufferTooSmall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the text needs a buffer of {} bytes", self.needed)
    }
}

impl core::error::Error for BufferTooSmall {}

/// A writer that fills a buffer.
struct Buffer<'b> {
    bytes: &'b mut [u8],
    len: usize,
}

impl Write for Buffer<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

pub(crate) fn into<'b>(text: &dyn Render, bytes: &'b mut [u8]) -> Result<&'b str, BufferTooSmall> {
    let mut buffer = Buffer { bytes, len: 0 };
    if text.render(&mut buffer).is_err() {
        return Err(BufferTooSmall { needed: len(text) });
    }
    let Buffer { bytes, len } = buffer;
    // Only whole pieces of text were written.
    Ok(core::str::from_utf8(&bytes[..len]).unwrap_or_default())
}

pub(crate) fn len(text: &dyn Render) -> usize {
    let mut length = Length::default();
    // Counting cannot fail.
    let _ = text.render(&mut length);
    length.0
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

            /// Writes the rendered text into a buffer.
            ///
            /// # Errors
            /// If the buffer is smaller than [`len`](Self::len).
            pub fn write_into<'b>(
                &self,
                buffer: &'b mut [u8],
            ) -> Result<&'b str, $crate::render::BufferTooSmall> {
                $crate::render::into(self, buffer)
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
