//! Reading the frontmatter of a skill without its body.

use crate::{Error, error::Problem, home, rooted_dir::OpenFile};
use helix_skills_format::{__internal::skill_md::Rules, Code, Finding, Parsed, Severity, SkillMd};
use helix_skills_runtime::{Profile, Skill};
use std::path::Path;

/// Number of bytes that are read first. Most frontmatter has less than a tenth of it.
const FIRST_READ_BYTES: usize = 4 * 1024;
/// Maximum number of bytes that are read: the largest frontmatter, as many blank lines before it,
/// and the fences.
const MAX_READ_BYTES: usize = 2 * (64 + 1) * 1024 + 1024;

/// Reads only the frontmatter of a `SKILL.md`. `path` is the file or its directory; a leading `~`
/// is the user's home directory.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("pdf");
/// # std::fs::create_dir(&path).unwrap();
/// # let text = "---\nname: pdf\ndescription: Reads PDF files.\n---\nBody.\n";
/// # std::fs::write(path.join("SKILL.md"), text).unwrap();
/// let skill = helix_skills_host::read_metadata(path.join("SKILL.md"))?;
/// assert_eq!((skill.name(), skill.description(), skill.body()), ("pdf", "Reads PDF files.", ""));
/// # Ok::<(), helix_skills_host::Error>(())
/// ```
///
/// # Errors
/// If the file does not exist, or its frontmatter is not valid or has no name or description.
pub fn read_metadata(path: impl AsRef<Path>) -> Result<Skill, Error> {
    let path = &*home::expand(path.as_ref(), None)?;
    let path = if path.is_dir() { &*path.join("SKILL.md") } else { path };
    let mut file = OpenFile::open(path)?;
    let absolute = std::path::absolute(path).ok();
    let directory = absolute.as_deref().and_then(Path::parent).and_then(Path::file_name);
    let directory = directory.and_then(|name| name.to_str());
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let (Parsed { value: skill, .. }, _) = metadata(&mut file, directory, name, Profile::Helix)?;
    Ok(skill.to_catalog_entry(&skill.name))
}

/// Reads the frontmatter of an open file, as a skill of `directory` whose file is called `name`.
/// Also returns its length in bytes.
pub(crate) fn metadata(
    file: &mut OpenFile,
    directory: Option<&str>,
    name: &str,
    profile: Profile,
) -> Result<(Parsed<SkillMd>, usize), Error> {
    let mut bytes = start(file)?;
    let frontmatter = SkillMd::frontmatter_len(&bytes);
    let len = frontmatter.unwrap_or(bytes.len());
    // If the frontmatter does not end, the error is about all that was read. A missing description
    // may be taken from the body.
    let mut parsed = parse(&bytes[..len], directory, name, profile);
    if let (Err(_), Profile::ClaudeCode, Some(_)) = (&parsed, profile, frontmatter) {
        file.read_until(&mut bytes, MAX_READ_BYTES)?;
        parsed = parse(text_of(&bytes), directory, name, profile);
    }
    let mut parsed = parsed.map_err(|findings| Problem::Invalid { findings }.at(file.path()))?;
    // The body may not have been read.
    let is_blank = |bytes: &[u8]| bytes[len..].iter().all(u8::is_ascii_whitespace);
    if !(is_blank(&bytes) && file.read_until(&mut bytes, MAX_READ_BYTES)? && is_blank(&bytes)) {
        parsed.findings.retain(|finding| finding.code != Code::EmptyBody);
    }
    // A toolbox knows which tools it has.
    parsed.findings.retain(|finding| finding.code != Code::ToolName);
    Ok((parsed, len))
}

/// Reads a whole `SKILL.md` as `profile` does.
pub(crate) fn parse(
    bytes: &[u8],
    directory: Option<&str>,
    name: &str,
    profile: Profile,
) -> Result<Parsed<SkillMd>, Vec<Finding>> {
    let parsed = SkillMd::parse_as(bytes, directory, name, Rules::Profile(profile))?;
    // Agentick loads a directory only by the rules for authors. Skills for Claude Code, which it
    // reads as well, have values that need quotes.
    let is_error = |finding: &Finding| {
        finding.code != Code::UnquotedValue && finding.code.when_validating() == Severity::Error
    };
    if profile == Profile::Agentick && parsed.findings.iter().any(is_error) {
        return Err(parsed.findings.into_iter().filter(is_error).collect());
    }
    Ok(parsed)
}

/// Returns the start of a file with all of its frontmatter, and little more.
fn start(file: &mut OpenFile) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let mut max = FIRST_READ_BYTES;
    loop {
        let is_whole = file.read_until(&mut bytes, max)?;
        if is_whole || max >= MAX_READ_BYTES || SkillMd::frontmatter_len(&bytes).is_some() {
            return Ok(bytes);
        }
        max = (2 * max).min(MAX_READ_BYTES);
    }
}

/// Removes an incomplete character from the end of a file that was not read to its end.
fn text_of(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(why) if why.error_len().is_none() => &bytes[..why.valid_up_to()],
        _ => bytes,
    }
}
