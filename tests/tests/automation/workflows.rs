//! Workflows and the action as data: their permissions, and the names they use.

use crate::checkout::{package, root, targets, text, workflows, yaml};
use serde_yaml::Value;

/// Returns whether a job is another workflow of this repository.
fn is_call(job: &Value) -> bool {
    job["uses"].as_str().is_some_and(|workflow| workflow.starts_with("./.github/workflows/"))
}

/// Returns the steps of a workflow or of the action, in order.
fn steps(document: &Value) -> Vec<Value> {
    let action = document["runs"]["steps"].as_sequence().cloned();
    let jobs = document["jobs"].as_mapping().into_iter().flat_map(|jobs| jobs.values().cloned());
    let inside = jobs.filter(|job| !is_call(job));
    let inside = inside.flat_map(|job| job["steps"].as_sequence().cloned().unwrap());
    action.unwrap_or_default().into_iter().chain(inside).collect()
}

fn documents() -> Vec<(String, Value)> {
    let names = workflows().into_iter().chain(["action.yml".to_owned()]);
    names.map(|name| (name.clone(), yaml(&name))).collect()
}

#[test]
fn scripts_have_no_interpolated_values() {
    let mut scripts = 0;
    for (name, document) in documents() {
        for step in steps(&document) {
            if let Some(script) = step["run"].as_str() {
                assert!(!script.contains("${{"), "{name}: values belong in `env`: {script}");
                scripts += 1;
            } else {
                assert!(step["uses"].is_string(), "{name}: {step:?}");
            }
        }
    }
    assert!(scripts > 5);
}

#[test]
fn third_party_actions_are_pinned_by_commit_and_version() {
    let mut pins = 0;
    for name in workflows() {
        for line in text(&name)
            .lines()
            .filter(|line| line.trim_start().trim_start_matches("- ").starts_with("uses:"))
            .filter(|line| !line.trim_start().starts_with("uses: ./"))
        {
            let (action, version) =
                line.split_once(" # v").unwrap_or_else(|| panic!("{name}: no version: {line}"));
            let (_, commit) =
                action.split_once('@').unwrap_or_else(|| panic!("{name}: no commit: {line}"));
            assert!(
                commit.len() == 40 && commit.bytes().all(|b| b.is_ascii_hexdigit()),
                "{name}: {line}"
            );
            assert_eq!(version.split('.').count(), 3, "{name}: {line}");
            pins += 1;
        }
    }
    assert!(pins >= 4);
    assert!(
        steps(&yaml("action.yml")).iter().all(|step| step["uses"].is_null()),
        "the action uses no other action"
    );
}

#[test]
fn releases_use_a_pinned_toolchain() {
    let release = yaml(".github/workflows/release.yml");
    let parts = |version: &str| {
        version.split('.').map(|part| part.parse::<u32>().unwrap()).collect::<Vec<_>>()
    };
    let rust = parts(release["env"]["RUST"].as_str().unwrap());
    assert_eq!(rust.len(), 3, "expected a full version: {rust:?}");
    assert!(rust >= parts(package()["rust_version"].as_str().unwrap()), "{rust:?}");
    for script in steps(&release).iter().filter_map(|step| step["run"].as_str()) {
        for toolchain in ["stable", "beta", "nightly"] {
            assert!(!script.contains(toolchain), "{script}");
        }
        for cargo in script.split("cargo ").skip(1) {
            assert!(cargo.starts_with("\"+$RUST\" "), "{script}");
        }
    }
}

#[test]
fn release_builds_the_targets_of_the_table() {
    let workflow = yaml(".github/workflows/release.yml");
    let rows =
        workflow["jobs"]["build"]["strategy"]["matrix"]["include"].as_sequence().unwrap().clone();
    let built: Vec<_> = rows.iter().map(|row| row["target"].as_str().unwrap()).collect();
    assert_eq!(built, targets());
}

#[test]
fn attestations_are_bound_to_workflow_and_tag() {
    let install = text(".github/action/install.sh");
    let [_, call] = install.split("        gh attestation verify").collect::<Vec<_>>()[..] else {
        panic!("{install}")
    };
    let call = call.split("||").next().unwrap();
    assert!(
        call.contains("--signer-workflow \"$repository/.github/workflows/release.yml\""),
        "{call}"
    );
    assert!(call.contains("--source-ref \"refs/tags/v$version\""), "{call}");
}

#[test]
fn workflows_have_minimal_permissions() {
    for name in workflows() {
        let document = yaml(&name);
        let permissions = document["permissions"]
            .as_mapping()
            .unwrap_or_else(|| panic!("{name}: no permissions"));
        assert!(permissions.values().all(|value| value == "read"), "{name}");
        for (job, body) in document["jobs"].as_mapping().unwrap() {
            let has_limit = body["timeout-minutes"].is_u64() || is_call(body);
            assert!(has_limit, "{name}: {job:?} has no time limit");
        }
        for step in steps(&document)
            .iter()
            .filter(|s| s["uses"].as_str().is_some_and(|u| u.contains("/checkout@")))
        {
            assert_eq!(step["with"]["persist-credentials"], Value::Bool(false), "{name}");
        }
        assert!(!text(&name).contains("secrets."), "{name}");
    }
    let release = yaml(".github/workflows/release.yml");
    let can_write = |job: &str| {
        let permissions = release["jobs"][job]["permissions"].as_mapping().unwrap();
        let writes = permissions.iter().filter(|(_, value)| *value == "write");
        writes.map(|(key, _)| key.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for job in ["test", "build", "installers", "powershell"] {
        assert_eq!(can_write(job), Vec::<String>::new(), "{job}");
    }
    assert_eq!(can_write("release"), ["contents", "id-token", "attestations"]);
    for job in ["crates", "npm"] {
        assert_eq!(can_write(job), ["id-token"], "{job}");
        assert_eq!(release["jobs"][job]["environment"], "release", "{job}");
    }
}

#[test]
fn packages_are_published_after_the_tests_of_the_commit() {
    let release = yaml(".github/workflows/release.yml");
    let needs = |job: &str| match &release["jobs"][job]["needs"] {
        Value::String(one) => vec![one.clone()],
        many => many.as_sequence().unwrap().iter().map(|n| n.as_str().unwrap().into()).collect(),
    };
    assert_eq!(release["jobs"]["test"]["uses"], "./.github/workflows/ci.yml");
    assert!(yaml(".github/workflows/ci.yml")["on"].get("workflow_call").is_some());
    assert_eq!(needs("release"), ["test", "installers", "powershell"]);
    assert_eq!((needs("crates"), needs("npm")), (vec!["release".into()], vec!["release".into()]));
    assert_eq!(
        (needs("installers"), needs("powershell")),
        (vec!["build".into()], vec!["installers".into()])
    );
}

#[test]
fn installers_are_attested_and_released() {
    let release = yaml(".github/workflows/release.yml");
    let step = |key: &str, word: &str| {
        let steps = release["jobs"]["release"]["steps"].as_sequence().unwrap();
        let step = steps.iter().find(|step| step[key].as_str().is_some_and(|t| t.contains(word)));
        step.unwrap().clone()
    };
    let attested = step("uses", "attest-build-provenance")["with"]["subject-path"].clone();
    let released = step("run", "gh release create")["run"].clone();
    for file in ["install.sh", "install.ps1", "skills.rb"] {
        let file = format!("installers/{file}");
        for text in [&attested, &released] {
            let mut words = text.as_str().unwrap().split_whitespace();
            assert!(words.any(|word| word == file), "{file} is not in {text:?}");
        }
    }
}

#[test]
fn windows_runs_its_installer_with_both_powershells() {
    let checks = yaml(".github/workflows/ci.yml")["jobs"]["windows"].clone();
    assert!(checks["runs-on"].as_str().unwrap().starts_with("windows-"));
    let steps = checks["steps"].as_sequence().unwrap().iter();
    let mut scripts = steps.filter_map(|step| step["run"].as_str());
    assert!(scripts.any(|script| script.ends_with("--features powershell --test powershell")));
    let job = yaml(".github/workflows/release.yml")["jobs"]["powershell"].clone();
    assert!(job["runs-on"].as_str().unwrap().starts_with("windows-"));
    let shells: Vec<_> = job["strategy"]["matrix"]["shell"].as_sequence().unwrap().clone();
    assert_eq!(shells, ["powershell", "pwsh"]);
}

#[test]
fn scripts_of_steps_are_executable() {
    use std::os::unix::fs::PermissionsExt as _;
    let mut found = 0;
    for (name, document) in documents() {
        for script in steps(&document).iter().filter_map(|step| step["run"].as_str()) {
            for word in script.split(|c: char| c.is_whitespace() || "\"'".contains(c)) {
                let word = word.strip_prefix("$GITHUB_ACTION_PATH/").unwrap_or(word);
                if word.starts_with(".ci/") || word.starts_with(".github/") {
                    let data = std::fs::metadata(root().join(word))
                        .unwrap_or_else(|why| panic!("{name}: {word}: {why}"));
                    assert_ne!(data.permissions().mode() & 0o111, 0, "{word} is not executable");
                    found += 1;
                }
            }
        }
    }
    assert!(found >= 4);
}

#[test]
fn inputs_and_outputs_are_used_and_documented() {
    let action = yaml("action.yml");
    let source = text("action.yml");
    for (name, input) in action["inputs"].as_mapping().unwrap() {
        let name = name.as_str().unwrap();
        assert!(input["description"].is_string() && input["default"].is_string(), "{name}");
        assert!(source.contains(&format!("inputs.{name}")), "{name} is unused");
    }
    let install = text(".github/action/install.sh");
    for (name, output) in action["outputs"].as_mapping().unwrap() {
        let name = name.as_str().unwrap();
        assert_eq!(output["value"], format!("${{{{ steps.install.outputs.{name} }}}}"));
        assert!(install.contains(&format!("{name}=%s\\n")), "{name} is never set");
    }
    let scripts = install + &text(".github/action/run.sh");
    for step in steps(&action) {
        assert_eq!(step["shell"], "bash");
        for (variable, _) in step["env"].as_mapping().unwrap() {
            let variable = variable.as_str().unwrap();
            assert!(scripts.contains(&format!("${{{variable}:")), "{variable} is never read");
        }
    }
}
