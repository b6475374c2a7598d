//! Runs every target with the same inputs every time. See `HELIX_FUZZ_COUNT` in the crate's
//! documentation.

use helix_skills_fuzz::{TARGETS, drive, target};
use std::{fs, path::Path};

/// One test for each target, so that they run in parallel and can be filtered by name.
macro_rules! driven {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                let target = target(stringify!($name));
                let executions = drive(target);
                println!("{}: {executions} executions", target.name);
            }
        )*

        const DRIVEN: &[&str] = &[$(stringify!($name)),*];
    };
}

driven! {
    answer call delta files forge index json listing lock manifest marketplace origin pack path render skill_md tree url
}

#[test]
fn every_target_runs_here_and_under_libfuzzer() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    for target in TARGETS {
        assert!(DRIVEN.contains(&target.name), "{} has no test", target.name);
        assert!(!(target.seeds)().is_empty(), "{} has no seeds", target.name);
        let path = format!("fuzz_targets/{}.rs", target.name);
        assert!(
            manifest.contains(&format!("name = \"{}\"\npath = \"{path}\"", target.name)),
            "{path}"
        );
        let text =
            fs::read_to_string(root.join(&path)).unwrap_or_else(|why| panic!("{path}: {why}"));
        assert!(text.contains(&format!("target(\"{}\")", target.name)), "{path}");
    }
}

/// Regressions of a renamed target would never run.
#[test]
fn every_regression_has_a_target() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        assert!(name == "README.md" || TARGETS.iter().any(|target| target.name == name), "{name}");
    }
}
