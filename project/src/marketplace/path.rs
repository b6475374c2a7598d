//! Paths in marketplaces and in manifests of plugins.

use helix_skills_format::{
    __internal::{JsonKind, Reader, Value, quoted},
    Code, DirPath,
};

/// Maximum number of directories that a file may list as skills. Each may have many skills.
const MAX_LISTED: usize = 1_000;

/// A path from the root of a repository; `./` may stand before it.
pub(super) fn inside<'t>(reader: &mut Reader<'t>, value: Value<'t>, what: &str) -> Option<DirPath> {
    let text = reader.string(value, what)?;
    checked(reader, &text, value.start(), what)
}

/// Checks a path in a plugin or a marketplace. Claude Code wants `./` before it, and many have
/// none.
pub(super) fn checked(
    reader: &mut Reader<'_>,
    text: &str,
    at: usize,
    what: &str,
) -> Option<DirPath> {
    match DirPath::new(text) {
        Ok(path) => Some(path),
        Err(why) => {
            let message = format!("{what} {} is refused: {why}", quoted(text));
            reader.error_hint(
                Code::BadPath,
                at,
                message,
                "paths must not leave the plugin's directory",
            );
            None
        }
    }
}

/// Returns whether a path does not begin with `./`.
pub(super) fn is_bare(path: &str) -> bool {
    path != "." && !path.starts_with("./")
}

/// Reads the value of `skills`: one path or a list of paths, relative to the plugin's root. Returns
/// the paths, and the texts of those without `./`.
pub(super) fn skills<'t>(
    reader: &mut Reader<'t>,
    value: Value<'t>,
) -> Option<(Vec<DirPath>, Vec<String>)> {
    let written = match value.kind() {
        JsonKind::String => vec![(reader.string(value, "`skills`")?, value.start())],
        JsonKind::Array => reader.strings(value, "`skills`")?,
        _ => {
            reader.wrong_type(value, "`skills`", "a path or a list of paths");
            return None;
        }
    };
    if written.len() > MAX_LISTED {
        let message =
            format!("`skills` lists {} directories, more than {MAX_LISTED}", written.len());
        reader.error_hint(Code::TooLarge, value.start(), message, "list their parent directory");
        return None;
    }
    let paths: Vec<_> =
        written.iter().map(|(text, at)| checked(reader, text, *at, "the path")).collect();
    let bare = written.into_iter().map(|(text, _)| text.to_string()).filter(|it| is_bare(it));
    Some((paths.into_iter().collect::<Option<_>>()?, bare.collect()))
}
