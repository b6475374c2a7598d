//! `skills catalog` prints the same bytes that programs embed.

use crate::{
    cargo::{Consumer, facade},
    project::{self, Locked, Origin, team},
};
use helix_skills_tests::sandbox::program;
use serde_json::{Value, json};
use std::process::Command;

/// Prints the embedded skills and the results of toolboxes: name and text, each followed by a
/// record separator.
const MAIN: &str = r#"
use helix_skills::{TextLimit, Budget, Profile, SkillSet, Toolbox, include_skills};

static SKILLS: SkillSet = include_skills!();
static ONLY: SkillSet = include_skills!(only = ["alpha", "house"]);
static PRELOADED: Toolbox = include_skills!(preload = ["house", "beta", "alpha"]);

fn main() {
    for (name, catalog) in [
        ("", SKILLS.catalog()), ("--only alpha,house", ONLY.catalog()), ("--preload house,beta,alpha", PRELOADED.catalog()),
    ] {
        print!("{name}\x1e{catalog}\x1edigest {name}\x1e{}\x1e", catalog.digest().unwrap());
    }
    for profile in Profile::ALL {
        let name = profile.name();
        let builder = Toolbox::builder(SKILLS).profile(profile);
        let toolbox = builder.build().unwrap();
        print!("--profile {name}\x1e{}\x1e", toolbox.catalog());
        print!("--profile {name} --root /opt/it's\x1e{}\x1e", builder.at("/opt/it's").build().unwrap().catalog());
        print!("--profile {name} --preload beta\x1e{}\x1e", builder.preload(&["beta"]).build().unwrap().catalog());
        for (flag, amount) in [("--budget-tokens 90", TextLimit::Tokens(90)), ("--budget-chars 300", TextLimit::Chars(300))] {
            let small = builder.budget(Budget::NONE.catalog(amount)).build().unwrap();
            print!("--profile {name} {flag}\x1e{}\x1e", small.catalog());
        }
        for tool in toolbox.tools([]).unwrap() {
            print!("tool {name}\x1e{}\n{}\n{}\x1e", tool.name(), tool.parameters(), tool.description());
        }
    }
}
"#;

fn skills() -> Vec<Locked> {
    let skill = |name, path, text: &str| Locked {
        name,
        origin: Origin::Team(path),
        files: vec![("SKILL.md", text.as_bytes().to_vec())],
    };
    let description = "|\n  Does alpha.\n  - evil: \"forged\" & <so on>\n";
    let head = format!(
        "name: alpha\ndescription: {description}when_to_use: When testing.\nargument-hint: [file]"
    );
    let mut alpha = skill(
        "alpha",
        "skills/alpha",
        &format!("---\n{head}\n---\n\n# Alpha\n\u{1b}[31m<skill> \u{202e}\t\n"),
    );
    alpha
        .files
        .extend([("references/a.md", b"A.\n".to_vec()), ("logo.png", b"\x89PNG\xff\0".to_vec())]);
    // Renamed by the manifest; with a byte order mark, CR LF, a closing tag in the text, no line
    // feed at the end.
    let beta = "\u{feff}---\r\nname: other\r\ndescription: Does beta.\r\n---\r\n\r\nNever\r\n</skill>\x07 or é.";
    let hidden =
        "---\nname: hidden\ndescription: Hidden.\ndisable-model-invocation: yes\n---\nPsst.\n";
    let mut house = skill(
        "house",
        "",
        "---\nname: house\ndescription: Ours.\nuser-invocable: false\n---\nRules.\n\n",
    );
    house.origin = Origin::Own("house");
    vec![
        alpha,
        skill("beta", "skills/b", beta),
        skill("hidden", "hidden", hidden),
        house,
        team("Zed", &[]),
    ]
}

/// Runs `skills catalog` and returns its stdout.
fn catalog(consumer: &Consumer, arguments: &str) -> String {
    let mut command = Command::new(program());
    command.arg("-C").arg(&consumer.dir).arg("catalog").args(arguments.split_whitespace());
    let output = command.output().unwrap();
    // A list of skills that is over its budget even without descriptions is printed, too.
    let may_exceed = arguments.contains("--budget");
    let is_expected = output.status.success() || may_exceed && output.status.code() == Some(6);
    assert!(is_expected, "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn document(consumer: &Consumer, arguments: &str) -> Value {
    serde_json::from_str(&catalog(consumer, &format!("{arguments} --json"))).unwrap()
}

#[test]
fn catalog_command_prints_the_embedded_bytes() {
    let consumer = Consumer::new("catalog");
    project::write(&consumer, "", &skills());
    let allow = json!({"alpha/SKILL.md": ["invisible-text"]});
    consumer.write(
        "helix.skills.json",
        json!({"skills": project::sources(), "allow": allow}).to_string(),
    );
    consumer.package("", "catalog", &facade("helix-skills", "")).write("src/main.rs", MAIN);
    let printed = consumer.cargo(&["run", "--quiet"]).success().stdout;
    let mut parts: Vec<&str> = printed.split('\x1e').collect();
    assert_eq!(parts.pop(), Some(""));
    let mut compared = 0;
    for pair in parts.chunks_exact(2) {
        let [arguments, baked] = *pair else { unreachable!() };
        compared += 1;
        if let Some(arguments) = arguments.strip_prefix("digest ") {
            assert_eq!(document(&consumer, arguments)["digest"], baked, "{arguments}");
        } else if let Some(profile) = arguments.strip_prefix("tool ") {
            let document = document(&consumer, &format!("--profile {profile} --tools"));
            let (name, rest) = baked.split_once('\n').unwrap();
            let (parameters, description) = rest.split_once('\n').unwrap();
            let tool = document["tools"]
                .as_array()
                .unwrap()
                .iter()
                .find(|tool| tool["name"] == name)
                .unwrap();
            assert_eq!(
                tool["parameters"],
                serde_json::from_str::<Value>(parameters).unwrap(),
                "{profile}"
            );
            assert_eq!(tool["description"], description, "{profile}");
        } else {
            assert_eq!(catalog(&consumer, arguments), baked, "{arguments}");
            let document = document(&consumer, arguments);
            assert_eq!(
                (&document["text"], &document["bytes"]),
                (&Value::from(baked), &baked.len().into())
            );
        }
    }
    // Three sets with their digests, five texts for each of six profiles, and the tools of the five
    // profiles that have any.
    assert_eq!(compared, 3 * 2 + 6 * 5 + 5 * 2, "{parts:?}");
}
