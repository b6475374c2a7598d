//! The macro compares the manifest with the lockfile.

use crate::{broken::Broken, cargo::Consumer, project};
use serde_json::{Value, json};

const MAIN: &str = "static SKILLS: helix_skills::SkillSet = helix_skills::include_skills!();\n\
                    fn main() { print!(\"{}\", SKILLS.get(\"alpha\").unwrap().description()); }\n";

/// Writes a manifest with the locked sources after a change.
fn manifest(at: &Consumer, change: impl FnOnce(&mut Value)) {
    let mut sources = project::sources();
    change(&mut sources);
    at.write("helix.skills.json", json!({ "skills": sources }).to_string());
}

#[test]
fn differences_to_the_manifest_are_compile_errors() {
    let broken = Broken::new("drift-errors", MAIN);
    let end = "file: DIR/helix.skills.json\nhelp: run `cargo skills sync`\n";
    let changed = |at: &Consumer| {
        manifest(at, |sources| {
            sources["team"]["ref"] = "v2".into();
            sources["team"]["include"] = json!(["alpha"]);
            sources["more"] = json!({"type": "path", "path": "more"});
            sources.as_object_mut().unwrap().remove("own");
        });
    };
    broken.change(changed).says(&[
        &format!("error: the source `more` is in the manifest but not in the lockfile\n{end}"),
        &format!("error: the source `team` was changed in the manifest since it was locked: `include`, `ref`\n{end}"),
        &format!("error: the source `own` is in the lockfile but not in the manifest\n{end}"),
    ]);
    let slip = |at: &Consumer| {
        at.write("helix.skills.json", "{\"skils\": {}}");
    };
    broken.change(slip).says(&[
        "error: cannot read the manifest: unknown key `skils` in the manifest\n\
        file: DIR/helix.skills.json:1:2\n\
        help: did you mean `skills`?\n",
    ]);
    let limits = |at: &Consumer| {
        let limits = r#"{"limits": {"filesPerSkil": 1}, "skills": "#;
        at.write("helix.skills.json", format!("{limits}{}}}", project::sources()));
    };
    broken.change(limits).says(&[
        "error: cannot read the manifest: unknown key `filesPerSkil` in `limits`\n\
        file: DIR/helix.skills.json:1:13\n\
        help: did you mean `filesPerSkill`?\n",
    ]);
}

#[test]
fn a_changed_manifest_runs_the_macro_again() {
    let consumer = Broken::new("drift-rebuild", MAIN);
    let build = |expected: Result<&str, &str>| {
        let run = consumer.0.cargo(&["build", "--verbose"]);
        let (ok, says) = match expected {
            Ok(word) => (true, format!("{word} drift-rebuild ")),
            Err(message) => (false, message.to_owned()),
        };
        assert!(run.ok == ok && run.stderr.contains(&says), "{says}:\n{}", run.stderr);
    };
    consumer.change(|at| manifest(at, |_| ()));
    build(Ok("Compiling"));
    build(Ok("Fresh"));
    manifest(&consumer.0, |sources| sources["team"]["ref"] = "v2".into());
    build(Err("the source `team` was changed in the manifest since it was locked: `ref`"));
    // The same entries, written differently.
    let text = "{ // ours\n \"skills\": {\"team\": {\"ref\": \"v1\", \"type\": \"git\", \"skillsDir\": \"./skills/\",\n\
                \"exclude\": [], \"url\": \"https://example.com/team.git\"}, \"own\": {\"type\": \"path\", \"path\": \"./own\",},},}";
    consumer.0.write("helix.skills.json", text);
    build(Ok("Compiling"));
    // Without a manifest, as in a published package, there is nothing to compare.
    consumer.0.remove("helix.skills.json");
    build(Ok("Compiling"));
    // A manifest that appears is compared the next time that the macro runs.
    manifest(&consumer.0, |sources| sources["team"]["ref"] = "v2".into());
    build(Ok("Fresh"));
    consumer.0.write("src/main.rs", format!("{MAIN}\n"));
    build(Err("the source `team` was changed in the manifest since it was locked: `ref`"));
}
