//! The examples in `--help`: each of them runs in a prepared project.

use crate::help::{every_command, help};
use helix_skills_tests::{
    Change, GitServer, Run, Sandbox, sandbox::program, skill_md, upstream::git_command,
};
use serde_json::{Value, json};
use std::{env, fs, os::unix::fs::PermissionsExt as _, path::PathBuf};

/// Returns every example of every help page, without the comments after two spaces.
fn examples() -> Vec<String> {
    let sandbox = Sandbox::new();
    let mut all = vec![Vec::new()];
    every_command(&sandbox, &[], &mut all);
    let mut found = Vec::new();
    for words in &all {
        let words: Vec<&str> = words.iter().map(String::as_str).chain(["--help"]).collect();
        let text = help(&sandbox, &words).stdout;
        let Some((_, list)) = text.split_once("\nExamples:\n") else { continue };
        let rows = list.lines().map_while(|line| line.strip_prefix("  "));
        // A long comment is on the line after the command.
        let rows = rows.filter(|row| !row.starts_with(' '));
        found.extend(rows.filter_map(|row| row.split("  ").next()).map(str::to_owned));
    }
    found
}

/// A project in a sandbox, with repositories under their public URLs.
struct World {
    // Dropped before the directories that it serves.
    _server: GitServer,
    upstream: helix_skills_tests::Upstream,
    sandbox: Sandbox,
}

impl World {
    fn new() -> Self {
        let sandbox = Sandbox::in_memory();
        let upstream = sandbox.upstream("heygen-com/hyperframes");
        upstream.commit(Change::new().skill("hyperframes").skill("slideshow").skill("figma"));
        upstream.tag("v0.8.10");
        let index = json!({"name": "anthropic-agent-skills", "owner": {"name": "Anthropic"},
            "plugins": [{"name": "document-skills", "source": "./", "strict": false,
                "skills": ["./skills/docx"]}]});
        sandbox.upstream("anthropics/skills").commit(
            Change::new()
                .text(".claude-plugin/marketplace.json", &index.to_string())
                .text("skills/pdf/SKILL.md", &skill("pdf", "Reads PDF files and fills in forms."))
                .skill("docx"),
        );
        let index = json!({"name": "superpowers-dev", "owner": {"name": "Jesse"},
            "plugins": [{"name": "superpowers", "source": "./"}]});
        sandbox.upstream("obra/superpowers").commit(
            Change::new()
                .text(".claude-plugin/marketplace.json", &index.to_string())
                .skill("brainstorming")
                .skill("systematic-debugging"),
        );
        let tdd = "skills/engineering/tdd";
        sandbox.upstream("mattpocock/skills").commit(Change::new().skill_at(tdd, "tdd"));
        sandbox.upstream("team/skills").commit(Change::new().skill("house-style").skill("tides"));
        let server = sandbox.serve();
        let rules: String = ["https://github.com/", "https://example.com/"]
            .map(|host| format!("[url \"{}/\"]\n\tinsteadOf = {host}\n", server.base()))
            .concat();
        // The examples write to the home directory, so it is in the project.
        sandbox.write("home/.gitconfig", &rules);
        sandbox.write("project/home/.gitconfig", &rules);
        let deploy = skill("deploy", "Builds docker containers and deploys them.");
        sandbox.write("project/skills/deploy/SKILL.md", deploy);
        Self { _server: server, upstream, sandbox }
    }

    /// Adds three sources and syncs them.
    fn synced(self) -> Self {
        let hyperframes = json!({"type": "git", "version": "^0.8",
            "url": "https://github.com/heygen-com/hyperframes.git", "include": ["slideshow"]});
        let documents = json!({"type": "git", "include": ["pdf"],
            "url": "https://github.com/anthropics/skills.git"});
        self.sandbox.sources(&json!({"hyperframes": hyperframes, "documents": documents,
            "own": {"type": "path", "path": "./skills"}}));
        self.sandbox.skills(["sync"]).succeeds();
        self
    }

    /// Releases a newer version of `hyperframes`.
    fn released(self) -> Self {
        let world = self.synced();
        world.upstream.commit(Change::new().text("skills/slideshow/more.md", "more\n"));
        world.upstream.tag("v0.8.11");
        world
    }

    /// Commits the project, removes a source and commits it again.
    fn committed(self) -> Self {
        let world = self.synced();
        let git = |words: &[&str]| {
            let directory = world.sandbox.path("project");
            let status = git_command().args(words).current_dir(directory).status().unwrap();
            assert!(status.success(), "git {words:?}");
        };
        git(&["init", "--quiet"]);
        git(&["add", "helix.skills.json", "helix.skills.lock", "helix.skills"]);
        git(&["commit", "--quiet", "-m", "one"]);
        git(&["tag", "v1.0"]);
        world.sandbox.skills(["remove", "hyperframes"]).succeeds();
        git(&["commit", "--quiet", "--all", "-m", "two"]);
        world
    }

    /// Runs an example in a shell, in a subdirectory of the project if it uses `../`.
    fn run(&self, example: &str) -> Run {
        let programs = self.sandbox.project("home/programs");
        fs::create_dir_all(&programs).unwrap();
        let man = programs.join("man");
        fs::write(&man, "#!/bin/sh\nexec cat\n").unwrap();
        fs::set_permissions(&man, fs::Permissions::from_mode(0o755)).unwrap();
        fs::create_dir_all(self.sandbox.project("home/.config/fish")).unwrap();
        let below = if example.contains("../") { "project/below" } else { "project" };
        fs::create_dir_all(self.sandbox.path(below)).unwrap();
        let known = env::var_os("PATH").unwrap_or_default();
        let path: Vec<PathBuf> = [programs, program().parent().unwrap().to_owned()]
            .into_iter()
            .chain(env::split_paths(&known))
            .collect();
        self.sandbox
            .command([""; 0])
            .env("PATH", env::join_paths(path).unwrap())
            .env("HOME", self.sandbox.project("home"))
            .current_dir(below)
            .under("sh", ["-c", example])
            .run()
    }

    fn manifest(&self) -> Value {
        crate::commands::manifest(&self.sandbox)
    }
}

fn skill(name: &str, description: &str) -> String {
    skill_md(name).replace(&format!("Does {name} things."), description)
}

/// Runs an example in the project that it needs, and checks its exit code and what it did.
fn check(example: &str) {
    let world = World::new();
    let sandbox = &world.sandbox;
    match example {
        "skills init" | "skills init --ignore-store" => {
            world.run(example).succeeds().says(["next: run `skills add"]);
            let ignored = sandbox.exists("project/.gitignore")
                && sandbox.read("project/.gitignore").contains("helix.skills/");
            assert_eq!(ignored, example.contains("--ignore-store"));
            assert_eq!(world.manifest()["skills"], json!({}));
        }
        "skills add obra/superpowers --list debugging" => {
            let run = world.run(example).succeeds().prints(["\nsystematic-debugging "]);
            run.never_prints("brainstorming");
        }
        "skills add obra/superpowers --all --dry-run" => {
            sandbox.skills(["init"]).succeeds();
            let added = ["added brainstorming (", "added systematic-debugging ("];
            world.run(example).succeeds().prints(added);
            assert_eq!(world.manifest()["skills"], json!({}));
        }
        _ if example.starts_with("skills add ") => {
            world.run(example).succeeds();
            let (key, entry, skills) = added(example);
            assert_eq!(world.manifest()["skills"][key], entry, "{example}");
            assert_eq!(sandbox.locked_skills(), skills, "{example}");
        }
        "skills remove pdf" | "skills remove hyperframes" => {
            let world = world.synced();
            world.run(example).succeeds();
            let kept = if example.ends_with("pdf") { "slideshow" } else { "pdf" };
            assert_eq!(world.sandbox.locked_skills(), ["deploy", kept]);
        }
        _ if example.starts_with("skills sync") => sync(world.synced(), example),
        "skills update --dry-run" | "skills update hyperframes" | "skills update pdf" => {
            let world = world.released();
            let (before, after) = ("v0.8.10", "v0.8.11");
            let run = world.run(example).succeeds();
            let is_dry = example.contains("--dry-run");
            assert!(!is_dry || run.stdout.contains(after), "{run}");
            let is_moved = example == "skills update hyperframes";
            let expected = world.upstream.id(if is_moved { after } else { before });
            assert_eq!(world.sandbox.locked_commit("hyperframes"), expected);
        }
        _ if example.starts_with("skills install") => install(&world.synced(), example),
        "skills uninstall" | "skills uninstall --dry-run" => {
            let world = world.synced();
            world.sandbox.skills(["install"]).succeeds();
            world.run(example).succeeds();
            assert_eq!(world.sandbox.exists("project/.agents"), example.ends_with("--dry-run"));
        }
        "skills outdated --exit-code" => {
            drop(world.released().run(example).exits(1).prints(["hyperframes", "0.8.11"]));
        }
        _ if example.contains("skills diff") => diff(world, example),
        _ if example.starts_with("skills catalog") => catalog(&world.synced(), example),
        "skills list" => drop(world.synced().run(example).succeeds().prints(["slideshow", "pdf"])),
        "skills list ./skills" => drop(world.run(example).succeeds().prints(["deploy"])),
        "skills show pdf" => drop(world.synced().run(example).succeeds().prints(["Reads PDF"])),
        "skills show pdf --body" => {
            drop(world.synced().run(example).succeeds().prints(["<skill name=\"pdf\">"]));
        }
        "skills show ./skills/pdf --body" => {
            sandbox.write("project/skills/pdf/SKILL.md", skill_md("pdf"));
            drop(world.run(example).succeeds().prints(["<skill name=\"pdf\">"]));
        }
        _ if example.starts_with("skills new ") => {
            world.run(example).succeeds();
            let name = example.split(' ').nth(2).unwrap();
            let path = format!("skills/{name}");
            sandbox.skills(["validate", &path]).succeeds().never_prints("error:");
        }
        "skills search ./skills fill in a form" => {
            sandbox.write("project/skills/pdf/SKILL.md", skill("pdf", "Fills in a form."));
            let run = world.run(example).succeeds();
            assert!(run.stdout.contains("\npdf "), "{run}");
        }
        "skills search deploy my docker container" => {
            let run = world.synced().run(example).succeeds();
            assert!(run.stdout.contains("\ndeploy "), "{run}");
        }
        "skills search -n 1 --json \"fill in a pdf form\"" => {
            let found = world.synced().run(example).succeeds().json();
            let names: Vec<_> = found["skills"].as_array().unwrap().iter().collect();
            assert!(names.len() == 1 && names[0]["name"] == "pdf", "{found}");
        }
        _ if example.starts_with("skills validate") => validate(world.synced(), example),
        _ if example.contains("skills completions ") => completions(&world, example),
        // The package helix-skills-mcp tests the server itself.
        _ if example.starts_with("skills mcp") => {
            let server = program().with_file_name("skills-mcp");
            let run = world.synced().run(&format!("{example} --version"));
            match server.exists() {
                true => drop(run.succeeds().prints(["skills-mcp 0."])),
                false => drop(run.exits(2).says(["`skills-mcp` is not installed"])),
            }
        }
        _ => panic!("the example `{example}` has no preparation in {}", file!()),
    }
}

/// Runs an example of `skills install`.
fn install(world: &World, example: &str) {
    match example {
        "skills install --check" => {
            world.run(example).exits(1).prints(["added pdf (.agents/skills/pdf)"]);
            world.sandbox.skills(["install"]).succeeds();
            world.run(example).succeeds();
        }
        "skills install" | "skills install --agent claude-code" => {
            world.run(example).succeeds();
            let agent = if example.ends_with("claude-code") { ".claude" } else { ".agents" };
            assert!(world.sandbox.exists(format!("project/{agent}/skills/pdf/SKILL.md")));
        }
        _ => panic!("the example `{example}` has no preparation in {}", file!()),
    }
}

/// Returns the key and the entry of a source that an example adds, and its skills.
fn added(example: &str) -> (&'static str, Value, Vec<&'static str>) {
    let github = |path: &str| format!("https://github.com/{path}.git");
    match example {
        "skills add heygen-com/hyperframes --include slideshow" => (
            "hyperframes",
            json!({"type": "git", "url": github("heygen-com/hyperframes"), "version": "0.8.10",
                "include": ["slideshow"]}),
            vec!["slideshow"],
        ),
        "skills add https://example.com/team/skills.git --ref main --include tides" => (
            "team",
            json!({"type": "git", "url": "https://example.com/team/skills.git", "ref": "main",
                "include": ["tides"]}),
            vec!["tides"],
        ),
        "skills add obra/superpowers --plugin superpowers" => (
            "superpowers",
            json!({"type": "claude-marketplace", "url": github("obra/superpowers"),
                "plugin": "superpowers"}),
            vec!["brainstorming", "systematic-debugging"],
        ),
        "skills add mattpocock/skills/skills/engineering/tdd" => (
            "mattpocock",
            json!({"type": "git", "url": github("mattpocock/skills"), "include": ["tdd"]}),
            vec!["tdd"],
        ),
        "skills add mattpocock/skills@tdd --rename tdd=tests" => (
            "mattpocock",
            json!({"type": "git", "url": github("mattpocock/skills"), "include": ["tdd"],
                "rename": {"tdd": "tests"}}),
            vec!["tests"],
        ),
        "skills add ./skills" => {
            ("skills", json!({"type": "path", "path": "skills"}), vec!["deploy"])
        }
        _ => panic!("the example `{example}` has no preparation in {}", file!()),
    }
}

fn sync(world: World, example: &str) {
    let sandbox = &world.sandbox;
    let stored = "project/helix.skills/pdf/SKILL.md";
    let whole = sandbox.read(stored);
    match example {
        "skills sync" => {
            let changed = sandbox.read("project/helix.skills.json").replace("slideshow", "figma");
            sandbox.manifest(&changed);
        }
        "skills sync --check" => {}
        "skills sync --locked" => sandbox.remove_store(),
        "skills sync --restore" => sandbox.write(stored, "edited\n"),
        _ => panic!("the example `{example}` has no preparation in {}", file!()),
    }
    world.run(example).succeeds();
    assert_eq!(sandbox.read(stored), whole, "{example}");
    let mine = if example == "skills sync" { "figma" } else { "slideshow" };
    let mut expected = ["deploy", "pdf", mine];
    expected.sort_unstable();
    assert_eq!(sandbox.locked_skills(), expected, "{example}");
}

fn diff(world: World, example: &str) {
    if example == "skills diff" {
        let world = world.synced();
        world.sandbox.write("project/helix.skills/pdf/SKILL.md", "edited\n");
        drop(world.run(example).succeeds().prints(["+edited"]));
    } else if example.ends_with("skills diff -") || example.starts_with("git worktree add ") {
        let world = world.committed();
        drop(world.run(example).succeeds().prints(["slideshow"]));
    } else {
        panic!("the example `{example}` has no preparation in {}", file!());
    }
}

fn catalog(world: &World, example: &str) {
    let run = world.run(example).succeeds();
    match example {
        "skills catalog | sha256sum" => {
            let document = world.sandbox.skills(["catalog", "--json"]).succeeds().json();
            let digest = document["digest"].as_str().unwrap().trim_start_matches("sha256:");
            assert_eq!(run.stdout.split(' ').next(), Some(digest), "{run}");
        }
        "skills catalog --preload deploy" => drop(run.prints(["# deploy", "Do the deploy things"])),
        "skills catalog ./skills" => drop(run.prints(["- deploy: "])),
        "skills catalog --profile agentick --tools" => {
            assert!(serde_json::from_str::<Value>(&run.stdout).unwrap().is_array(), "{run}");
        }
        _ => panic!("the example `{example}` has no preparation in {}", file!()),
    }
}

fn validate(world: World, example: &str) {
    let sandbox = &world.sandbox;
    let file = "project/skills/pdf/SKILL.md";
    match example {
        "skills validate" | "skills validate --spec open" => {
            drop(world.run(example).succeeds().says(["ok"]));
        }
        "skills validate skills/pdf" => {
            sandbox.write(file, format!("\u{feff}{}", skill_md("pdf")));
            drop(world.run(example).succeeds().prints(["[vague-description]"]));
        }
        "skills validate --deny-warnings" => {
            sandbox.write(file, skill("pdf", &"Reads PDF files. ".repeat(100)));
            drop(world.run(example).exits(1));
        }
        "skills validate --sarif > skills.sarif" => {
            world.run(example).succeeds();
            let report: Value =
                serde_json::from_str(&sandbox.read("project/skills.sarif")).unwrap();
            assert_eq!(report["version"], "2.1.0");
        }
        _ => panic!("the example `{example}` has no preparation in {}", file!()),
    }
}

fn completions(world: &World, example: &str) {
    let (_, file) = example.split_once(">> ~/").unwrap();
    world.run(example).succeeds();
    let line = world.sandbox.read(format!("project/home/{file}"));
    assert!(example.contains(line.trim_end()), "{example}");
    if file == ".bashrc" {
        let run = world.run("bash -c '. ~/.bashrc && complete -p skills'").succeeds();
        drop(run.prints(["-F _skills skills"]));
    }
}

#[test]
fn every_example_in_the_help_works() {
    let examples = examples();
    assert!(examples.len() > 20, "{examples:?}");
    for example in &examples {
        check(example);
    }
}

#[test]
fn update_offers_a_command_to_review_it() {
    let world = World::new().committed();
    let sandbox = &world.sandbox;
    let hyperframes = json!({"type": "git", "version": "^0.8",
        "url": "https://github.com/heygen-com/hyperframes.git", "include": ["slideshow"]});
    sandbox.sources(&json!({"hyperframes": hyperframes}));
    sandbox.skills(["sync"]).succeeds().never_prints("review:");
    for words in [&["add", "--all"][..], &["commit", "--quiet", "-m", "three"]] {
        let directory = sandbox.path("project");
        assert!(git_command().args(words).current_dir(directory).status().unwrap().success());
    }
    world.upstream.commit(Change::new().text("skills/slideshow/more.md", "more\n"));
    world.upstream.tag("v0.8.11");
    sandbox.skills(["update", "--dry-run"]).succeeds().never_prints("review:");
    let run = sandbox.skills(["update"]).succeeds();
    let (_, review) = run.stderr.split_once("review: run `").unwrap();
    drop(world.run(review.split('`').next().unwrap()).succeeds().prints(["+more", "v0.8.11"]));
    sandbox.skills(["update"]).succeeds().never_prints("review:");
}
