//! Loading one whole skill from disk.

use crate::{
    Error, ErrorKind,
    error::{Problem, display_path, path_text},
    home,
    rooted_dir::{OpenFile, RootedDir},
    skill_files::{SkillFiles, SkillUsage},
};
use helix_skills_format::{Finding, Limits, Parsed, Severity, SkillMd, parse_flat_skill};
use helix_skills_lint::{Draft, Rules, lint};
use helix_skills_runtime::Skill;
use std::{borrow::Cow, collections::BTreeMap, path::Path};

/// Loads one whole skill: a directory, checked strictly, or a single markdown file, read leniently.
/// A leading `~` is the user's home directory.
///
/// A **directory** has a `SKILL.md` that obeys the rules for authors. Its name consists of `a-z`,
/// `0-9` and single hyphens and equals the directory's, it has a description, and `skills validate`
/// reports no error. All files of the directory are loaded, within the default limits of the
/// manifest. A link that leads out of the directory is an error, as is a file that no skill can
/// have, such as `CON.txt` or a pipe.
///
/// A **file** that ends in `.md` needs no frontmatter. By default, the name is the file's, and the
/// description is the first line of the body with text.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path();
/// # std::fs::write(path.join("triage.md"), "# Sorts new issues\n\nLabel them.\n").unwrap();
/// # std::fs::create_dir(path.join("pdf")).unwrap();
/// # std::fs::write(path.join("pdf/SKILL.md"), "---\nname: Pdf\n---\nUse it.\n").unwrap();
/// let triage = helix_skills_host::load_skill(path.join("triage.md"))?.value;
/// assert_eq!((triage.name(), triage.description()), ("triage", "Sorts new issues"));
///
/// let error = helix_skills_host::load_skill(path.join("pdf")).unwrap_err(); // has all findings
/// let wrong: Vec<_> = error.findings().iter().map(|finding| finding.code.as_str()).collect();
/// assert_eq!(wrong, ["missing-description", "name-character", "name-mismatch"]);
/// # Ok::<(), helix_skills_host::Error>(())
/// ```
///
/// # Errors
/// If the skill does not exist, breaks a rule, or exceeds the limits.
pub fn load_skill(path: impl AsRef<Path>) -> Result<Parsed<Skill>, Error> {
    let path = &*home::expand(path.as_ref(), None)?;
    if path.is_dir() {
        folder(path)
    } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md")) {
        let text = read_text(OpenFile::open(path)?, Limits::default().bytes_per_file)?;
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        parse_flat_skill(&text, stem).map_err(|error| invalid(path, error.findings))
    } else if std::fs::symlink_metadata(path).is_ok() {
        let shown = display_path(path);
        let message = format!("`{shown}` is neither a directory of a skill nor a markdown file");
        let hint = "use a directory with a `SKILL.md`, or a file with the extension `.md`";
        Err(Problem::other(ErrorKind::Invalid, message, hint).at(path))
    } else {
        Err(Problem::Missing.at(path))
    }
}

fn folder(path: &Path) -> Result<Parsed<Skill>, Error> {
    let limits = Limits::default();
    let root = RootedDir::open(path)?;
    let (name, file) = root.open_skill_md(Path::new(""))?;
    let (skill_md, bytes) = (file.path().to_owned(), file.read_whole(limits.bytes_per_file)?);

    let mut usage = SkillUsage::new(root.path_to(Path::new("")), &limits);
    usage.add(name, bytes.len() as u64)?;
    let mut files = BTreeMap::new();
    let SkillFiles { paths, left_out } = SkillFiles::list(&root, "", name, &limits)?;
    for path in paths {
        let content = root.open_file(Path::new(&path))?.read_whole(limits.bytes_per_file)?;
        usage.add(&path, content.len() as u64)?;
        files.insert(path, content);
    }

    // `.` and `..` stand for a directory that has a name.
    let real = dunce::canonicalize(path).map_err(|source| Problem::Read { source }.at(path))?;
    let directory = if path.file_name().is_some() { path.file_name() } else { real.file_name() };
    let directory = directory.and_then(|name| name.to_str());
    let paths: Vec<_> = files.keys().cloned().collect();
    let draft = Draft { bytes: &bytes, directory, file: name, files: Some(&paths) };
    let findings = lint(&draft, Rules::Authors, |path| {
        files.get(path).and_then(|content| std::str::from_utf8(content).ok()).map(Cow::Borrowed)
    });
    let (errors, findings): (Vec<_>, Vec<_>) = findings
        .into_iter()
        .chain(left_out)
        .partition(|finding| Rules::Authors.severity(finding.code) == Severity::Error);
    if !errors.is_empty() {
        return Err(invalid(&skill_md, errors));
    }
    let text = std::str::from_utf8(&bytes).unwrap_or_default(); // `lint` has checked it
    let parsed =
        SkillMd::parse(text, directory, name).map_err(|findings| invalid(&skill_md, findings))?;
    let mut skill = parsed.value.to_skill(text);
    skill.set_directory(absolute(path)?);
    for (path, content) in files {
        insert(&mut skill, root.path_to(Path::new("")), &path, content)?;
    }
    Ok(Parsed::new(skill, findings))
}

/// Inserts a file into a skill whose directory is `directory`.
pub(crate) fn insert(
    skill: &mut Skill,
    directory: impl AsRef<Path>,
    path: &str,
    content: impl Into<Vec<u8>>,
) -> Result<(), Error> {
    let inserted = skill.insert_resource(path, content);
    inserted.map_err(|error| {
        Problem::InvalidPath { source: error.into() }.at(directory.as_ref().join(path))
    })
}

/// Returns the absolute path of a skill's directory, or `None` if it is not UTF-8: then no text can
/// contain it.
pub(crate) fn absolute(path: &Path) -> Result<Option<String>, Error> {
    let absolute = std::path::absolute(path).map_err(|source| Problem::Read { source }.at(path))?;
    Ok(absolute.to_str().map(|_| path_text(&absolute)))
}

/// Reads a file that has to be UTF-8, with at most `limit` bytes.
pub(crate) fn read_text(file: OpenFile, limit: u64) -> Result<String, Error> {
    let path = file.path().to_owned();
    String::from_utf8(file.read_whole(limit)?).map_err(|error| {
        // With the position of the first byte that is not.
        let findings = SkillMd::parse_bytes(error.as_bytes(), None, "SKILL.md").err();
        invalid(&path, findings.unwrap_or_default())
    })
}

fn invalid(path: &Path, findings: Vec<Finding>) -> Error {
    Problem::Invalid { findings }.at(path)
}
