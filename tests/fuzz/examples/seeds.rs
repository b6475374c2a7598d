//! Writes seeds and regressions to libFuzzer's corpus directories, and dictionaries of the words.
//! Prints the name and the maximum length of inputs of each target: `.ci/fuzz` reads it.

#![allow(clippy::print_stdout)]

use helix_skills_fuzz::{TARGETS, regressions};
use std::{env, error::Error, fs, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let root = env::args().nth(1).ok_or("expected the directory of cargo-fuzz, `fuzz`")?;
    for target in TARGETS {
        let dir = Path::new(&root).join("corpus").join(target.name);
        fs::create_dir_all(&dir)?;
        let seeds = (target.seeds)()
            .into_iter()
            .enumerate()
            .map(|(at, bytes)| (format!("seed-{at}"), bytes));
        for (name, bytes) in seeds.chain(regressions(target)) {
            fs::write(dir.join(name), bytes)?;
        }
        let line = |word: &&str| {
            let escaped: String = word.bytes().map(|byte| format!("\\x{byte:02x}")).collect();
            format!("\"{escaped}\"\n")
        };
        let dictionary: String =
            target.words.iter().filter(|word| !word.is_empty()).map(line).collect();
        fs::create_dir_all(Path::new(&root).join("dictionaries"))?;
        fs::write(Path::new(&root).join("dictionaries").join(target.name), dictionary)?;
        println!("{} {}", target.name, target.max_len);
    }
    Ok(())
}
