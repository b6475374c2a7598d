//! The embedded files.

use helix_skills_benches::{Dice, Vocabulary};
use std::{fs, io, path::Path};

/// The files of a generated skill in addition to its `SKILL.md`: number, extension and size. The
/// mix is that of a large repository of skills.
const FILES: [(usize, &str, usize); 4] =
    [(18, "md", 9_000), (8, "html", 13_000), (11, "mjs", 9_000), (7, "png", 62_000)];

/// Generates 20 skills.
pub fn generate(root: &Path) -> io::Result<()> {
    let (vocabulary, mut dice) = (Vocabulary::new(8000), Dice::new(16));
    for skill in vocabulary.skills(&mut dice, 20) {
        let dir = root.join(&skill.name);
        fs::create_dir_all(dir.join("references"))?;
        let head =
            format!("---\nname: {}\ndescription: {}\n---\n\n", skill.name, skill.description);
        fs::write(dir.join("SKILL.md"), head + &text(&vocabulary, &mut dice, "md", 18_000))?;
        for (count, extension, bytes) in FILES {
            for at in 0..count {
                let file = dir.join(format!("references/{at}.{extension}"));
                match extension {
                    "png" => fs::write(file, binary(&mut dice, bytes))?,
                    _ => fs::write(file, text(&vocabulary, &mut dice, extension, bytes))?,
                }
            }
        }
    }
    Ok(())
}

/// Generates lines of words, with as many brackets as real files of this type have.
fn text(vocabulary: &Vocabulary, dice: &mut Dice, extension: &str, bytes: usize) -> String {
    let mut text = String::new();
    while text.len() < bytes {
        let words = vocabulary.text(dice, 10);
        match (extension, dice.below(8)) {
            ("html", _) => {
                text.push_str(&format!("<div class=\"card\"><span>{words}</span></div>\n"))
            }
            ("mjs", 0) => {
                text.push_str(&format!("for (let at = 0; at < 10; at++) {{ {words} }}\n"))
            }
            ("md", 0) => text.push_str(&format!("<Card name=\"{words}\"/>\n")),
            _ => text.push_str(&format!("{words}\n")),
        }
    }
    text
}

/// Generates bytes that are not text.
fn binary(dice: &mut Dice, bytes: usize) -> Vec<u8> {
    let mut binary = b"\x89PNG\xff".to_vec();
    while binary.len() < bytes {
        binary.push(dice.below(256) as u8);
    }
    binary
}

/// Copies a directory of skills, without links and names that start with `.git`.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if entry.file_name().to_string_lossy().starts_with(".git") {
            continue;
        }
        if kind.is_dir() {
            copy(&entry.path(), &to.join(entry.file_name()))?;
        } else if kind.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// Returns the number of files and their total size in bytes.
pub fn size(root: &Path) -> io::Result<(usize, u64)> {
    let mut size = (0, 0);
    visit(root, &mut |file| {
        size = (size.0 + 1, size.1 + fs::metadata(file)?.len());
        Ok(())
    })?;
    Ok(size)
}

/// Returns the bytes of all files, concatenated.
pub fn bytes(root: &Path) -> io::Result<Vec<u8>> {
    let mut all = Vec::new();
    visit(root, &mut |file| {
        all.extend(fs::read(file)?);
        Ok(())
    })?;
    Ok(all)
}

fn visit(dir: &Path, see: &mut dyn FnMut(&Path) -> io::Result<()>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() { visit(&path, see)? } else { see(&path)? }
    }
    Ok(())
}
