//! Errors with their causes, on one line.

use core::{
    error::Error,
    fmt::{self, Display, Formatter},
    iter,
};

/// Maximum number of causes to print, because a faulty `source()` could be endless.
const MAX_CAUSES: usize = 16;

/// An error and its causes, joined by colons: `cannot read `a`: permission denied`.
#[derive(Clone, Copy)]
pub struct ErrorChain<'e>(pub &'e (dyn Error + 'e));

impl Display for ErrorChain<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        iter::successors(self.0.source(), |&cause| cause.source())
            .take(MAX_CAUSES)
            .try_for_each(|cause| write!(f, ": {cause}"))
    }
}

/// Implements `Debug` for an error type: `{:?}` prints the message and its causes, so that
/// `fn main() -> Result<(), Box<dyn Error>>` is readable; `{:#?}` prints the structure.
///
/// Every variant is listed with all of its fields; the compiler reports those that are missing.
/// Message and causes are on one line, unless the list starts with `write function;`, which writes
/// them instead.
#[doc(hidden)]
#[macro_export]
macro_rules! __error_debug {
    (write $write:path; $error:ty { $($(#[$attribute:meta])* $variant:ident $({ $($field:ident),* $(,)? })? $(( $($item:ident),* ))?),* $(,)? }) => {
        $crate::__error_debug!(@ $write; $error; self, f => match self {
            $($(#[$attribute])* Self::$variant $({ $($field),* })? $(( $($item),* ))? => {
                $crate::__error_debug!(@ f, $variant $({ $($field),* })? $(( $($item),* ))?)
            })*
        });
    };
    (write $write:path; $error:ty = $name:ident { $($field:ident),* $(,)? }) => {
        $crate::__error_debug!(@ $write; $error; self, f => {
            let $name { $($field),* } = self;
            $crate::__error_debug!(@ f, $name { $($field),* })
        });
    };
    (write $write:path; $error:ty = $name:ident($item:ident)) => {
        $crate::__error_debug!(@ $write; $error; self, f => {
            let $name($item) = self;
            $crate::__error_debug!(@ f, $name ($item))
        });
    };
    (@ $write:path; $error:ty; $self:ident, $f:ident => $structure:expr) => {
        impl ::core::fmt::Debug for $error {
            fn fmt(&$self, $f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                if !$f.alternate() {
                    return $write($self, $f);
                }
                $structure
            }
        }
    };
    (@ $f:ident, $name:ident { $($field:ident),* }) => {
        $f.debug_struct(stringify!($name))$(.field(stringify!($field), $field))*.finish()
    };
    (@ $f:ident, $name:ident ( $($item:ident),* )) => {
        $f.debug_tuple(stringify!($name))$(.field($item))*.finish()
    };
    (@ $f:ident, $name:ident) => {
        $f.write_str(stringify!($name))
    };
    ($($variants:tt)*) => {
        $crate::__error_debug! { write $crate::__internal::write_chain; $($variants)* }
    };
}

/// Writes an error and its causes on one line.
///
/// # Errors
/// If `out` fails.
pub fn write_chain(error: &dyn Error, out: &mut dyn fmt::Write) -> fmt::Result {
    write!(out, "{}", ErrorChain(error))
}
