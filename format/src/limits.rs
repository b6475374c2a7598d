//! How large things may be.

use crate::json::{Reader, Value};

macro_rules! limits {
    ($($(#[$doc:meta])* $field:ident = $key:literal, $default:expr;)*) => {
        /// The largest skill, file and fetch that is accepted.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Limits { $(
            $(#[$doc])*
            pub $field: u64,
        )* }

        impl Default for Limits {
            fn default() -> Self { Self::DEFAULT }
        }

        impl Limits {
            #[doc(hidden)]
            pub const DEFAULT: Self = Self { $($field: $default,)* };

            #[doc(hidden)]
            pub fn read<'t>(reader: &mut Reader<'t>, value: Value<'t>) -> Option<Self> {
                let mut fields = reader.object(value, "`limits`")?;
                let mut limits = Self::default();
                $(if let Some(value) = fields.take($key) {
                    limits.$field = reader.number(value, concat!("`", $key, "`"))?;
                })*
                fields.finish(reader);
                Some(limits)
            }
        }
    };
}

limits! {
    /// Maximum number of files in one skill; `filesPerSkill`.
    files_per_skill = "filesPerSkill", 1000;
    /// Maximum total size of the files of one skill, in bytes; `bytesPerSkill`.
    bytes_per_skill = "bytesPerSkill", 32 << 20;
    /// Maximum size of one file, in bytes; `bytesPerFile`.
    bytes_per_file = "bytesPerFile", 8 << 20;
    /// Maximum number of git objects in one fetch; `objectsPerFetch`.
    objects_per_fetch = "objectsPerFetch", 200_000;
    /// Maximum number of bytes received in one fetch; `bytesPerFetch`.
    bytes_per_fetch = "bytesPerFetch", 256 << 20;
    /// Maximum depth of nested directories in one skill, and of a skill in a directory that is
    /// searched; `treeDepth`.
    tree_depth = "treeDepth", 16;
}
