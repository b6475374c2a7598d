//! Agents, build scripts and programs that get these crates from a registry, as users do.
//!
//! The registry is a directory source: the `.crate` files that `cargo package` makes of this
//! checkout and verifies, unpacked, next to the third-party crates of both lockfiles. The consumers
//! are outside of the checkout, and no manifest has a path.
//!
//! Requires the feature `packages`, because it builds every published crate once more and
//! downloads the crates of all platforms.

use crate::cargo::{Consumer, Run, workspace};
use helix_skills_tests::markdown::blocks_of;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::LazyLock,
};
use tempfile::TempDir;

/// Directories that are kept between runs, so that only changed crates are compiled again.
fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("packages").join(name)
}

/// Runs a command of cargo in the checkout and returns its output.
fn cargo(arguments: &[&str]) -> String {
    output(Command::new(env!("CARGO")).args(arguments).current_dir(workspace()))
}

/// Runs cargo with the directory source instead of crates.io.
#[track_caller]
fn cargo_offline(consumer: &Consumer, arguments: &[&str]) -> Run {
    let config = kept("config.toml");
    let arguments = [arguments, &["--config", config.to_str().unwrap()]].concat();
    consumer.cargo_with("", &[("CARGO_TARGET_DIR", &kept("target"))], &arguments).success()
}

/// The published packages, as cargo's metadata describes them, each after those that it depends on.
fn published() -> Vec<Value> {
    let packages = |manifest| {
        let arguments = ["metadata", "--no-deps", "--offline", "--format-version", "1"];
        let metadata = cargo(&[&arguments[..], &["--manifest-path", manifest]].concat());
        let metadata: Value = serde_json::from_str(&metadata).unwrap();
        metadata["packages"].as_array().unwrap().clone()
    };
    let mut rest = [packages("Cargo.toml"), packages("rig/Cargo.toml")].concat();
    rest.retain(|package| package["publish"].is_null());
    let mut ordered = Vec::new();
    let is_ready = |package: &Value, rest: &[Value]| {
        // Without a version, cargo leaves out a dependency of tests.
        let mut dependencies = package["dependencies"].as_array().unwrap().iter();
        dependencies.all(|needed| {
            needed["req"] == "*" || rest.iter().all(|other| other["name"] != needed["name"])
        })
    };
    while let Some(next) = rest.iter().position(|package| is_ready(package, &rest)) {
        ordered.push(rest.remove(next));
    }
    assert!(rest.is_empty(), "cycle of dependencies: {rest:?}");
    ordered
}

/// Returns the name of a package's archive and directory.
fn name_and_version(package: &Value) -> String {
    format!("{}-{}", package["name"].as_str().unwrap(), package["version"].as_str().unwrap())
}

/// The directory source, which is made once per test run.
static REGISTRY: LazyLock<PathBuf> = LazyLock::new(|| {
    let registry = kept("registry");
    let vendor = ["vendor", "--quiet", "--locked", "--versioned-dirs", "--sync", "rig/Cargo.toml"];
    cargo(&[&vendor[..], &[registry.to_str().unwrap()]].concat());
    let config = format!(
        "[source.crates-io]\nreplace-with = \"packages\"\n\
         [source.packages]\ndirectory = {registry:?}\n"
    );
    fs::write(kept("config.toml"), config).unwrap();
    // Cargo assumes that a version in a registry never changes.
    for entry in fs::read_dir(kept("target/debug/.fingerprint")).into_iter().flatten() {
        let entry = entry.unwrap();
        if entry.file_name().to_string_lossy().starts_with("helix-skills") {
            fs::remove_dir_all(entry.path()).unwrap();
        }
    }
    let checkout = Consumer { dir: workspace().to_owned() };
    for package in published() {
        let name = name_and_version(&package);
        let manifest = package["manifest_path"].as_str().unwrap();
        let mut arguments =
            vec!["package", "--quiet", "--allow-dirty", "--manifest-path", manifest];
        // rig requires a newer Rust than it needs. A test below builds it.
        if package["name"] == "helix-skills-rig" {
            arguments.push("--no-verify");
        }
        cargo_offline(&checkout, &arguments);
        let archive = kept("target").join("package").join(format!("{name}.crate"));
        let mut tar = Command::new("tar");
        assert!(tar.arg("-xzf").arg(&archive).arg("-C").arg(&registry).status().unwrap().success());
        // Cargo checks the digest of the archive against lockfiles, and of each file listed here.
        let digest = format!("{:x}", Sha256::digest(fs::read(&archive).unwrap()));
        let checksums = json!({"files": {}, "package": digest});
        fs::write(registry.join(name).join(".cargo-checksum.json"), checksums.to_string()).unwrap();
    }
    registry
});

/// A package outside of the checkout that uses the registry.
struct Outside {
    consumer: Consumer,
    _directory: TempDir,
}

impl Outside {
    /// Creates a program without dependencies.
    fn new(name: &str) -> Self {
        LazyLock::force(&REGISTRY);
        let directory = TempDir::new().unwrap();
        let consumer = Consumer { dir: directory.path().to_owned() };
        consumer.package("", name, "");
        consumer.write("skills/pdf/SKILL.md", PDF).write("src/main.rs", "fn main() {}\n");
        Self { consumer, _directory: directory }
    }

    #[track_caller]
    fn cargo(&self, arguments: &[&str]) -> Run {
        cargo_offline(&self.consumer, arguments)
    }

    /// Runs the program with this text and returns what it prints.
    #[track_caller]
    fn prints(&self, main: &str) -> String {
        self.consumer.write("src/main.rs", main);
        self.cargo(&["run", "--quiet"]).stdout
    }

    /// Starts an installed program in the package.
    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.consumer.dir.join("installed/bin").join(name));
        command.current_dir(&self.consumer.dir);
        command.env("HELIX_SKILLS_CACHE", self.consumer.dir.join("cache"));
        command
    }

    /// Installs a published package.
    fn install(&self, arguments: &[&str]) {
        let root = self.consumer.dir.join("installed");
        let install = ["install", "--quiet", "--debug", "--root", root.to_str().unwrap()];
        self.cargo(&[&install, arguments].concat());
    }
}

const PDF: &str = "---\nname: pdf\ndescription: Reads PDF files.\n---\nUse `pdftotext`.\n";

#[track_caller]
fn output(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn agent_embeds_skills_of_a_directory() {
    let agent = Outside::new("packages-agent");
    agent.cargo(&["add", "--quiet", "helix-skills"]);
    let printed = agent.prints(
        "helix_skills::include_skills!(mod skills, dir = \"skills\");\n\
         fn main() { print!(\"{}\", skills::TOOLBOX.catalog()); }\n",
    );
    assert!(printed.ends_with("\n- pdf: Reads PDF files.\n"), "{printed}");
    // Nothing but the registry is used.
    let lock = agent.consumer.read("Cargo.lock");
    let ours = lock.split("[[package]]").filter(|one| one.contains("\nname = \"helix-skills"));
    let sources: Vec<_> = ours.map(|one| one.contains("\nsource = \"registry+")).collect();
    assert!(sources.len() >= 3 && sources.iter().all(|is_registry| *is_registry), "{lock}");
}

const PROVIDERS: &str = r#"
use helix_skills::{AsyncToolbox, Providers};
helix_skills::include_skills!(mod skills, dir = "skills");
fn main() {
    let providers = Providers::new().with(skills::SKILLS);
    let toolbox = pollster::block_on(AsyncToolbox::builder(providers).build()).unwrap();
    print!("{}", toolbox.catalog());
}
"#;

const SERIALIZED: &str = r#"
helix_skills::include_skills!(mod skills, dir = "skills");
fn main() {
    let tools: Vec<_> = skills::TOOLBOX.tools([]).unwrap().collect();
    print!("{}", serde_json::to_string(&tools).unwrap());
}
"#;

const TYPED: &str = r#"
use helix_skills::{
    provider::BoxFuture,
    run::{Answer, Message, Model, Run, ToolCall, ToolDefinition},
};
helix_skills::include_skills!(mod skills, dir = "skills");
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Pages {
    count: u32,
}
struct Script;
impl Model for Script {
    fn answer<'m>(&'m self, _: &'m [Message], _: &'m [ToolDefinition]) -> BoxFuture<'m, Answer> {
        let call = ToolCall::new("1", "submit", "{\"count\": 3}");
        Box::pin(async { Ok(call.into()) })
    }
}
fn main() {
    let run = Run::new(skills::SKILLS.get("pdf").unwrap().clone());
    let pages: Pages = pollster::block_on(run.typed(&Script)).unwrap();
    print!("{} pages", pages.count);
}
"#;

#[test]
fn each_feature_of_an_agent_works_alone() {
    let serde: &[&str] = &["serde", "--features", "derive"];
    for (feature, dependencies, main, expected) in [
        ("agent", &[&["pollster"][..]][..], PROVIDERS, "\n- pdf: Reads PDF files.\n"),
        ("serde", &[&["serde_json"]], SERIALIZED, "\"load_skill\""),
        ("schemars", &[&["pollster", "schemars"], serde], TYPED, "3 pages"),
    ] {
        let agent = Outside::new("packages-feature");
        agent.cargo(&["add", "--quiet", "helix-skills", "--features", feature]);
        for dependency in dependencies {
            agent.cargo(&[&["add", "--quiet"], *dependency].concat());
        }
        let printed = agent.prints(main);
        assert!(printed.contains(expected), "{feature}: {printed}");
    }
}

#[test]
fn build_script_checks_and_syncs() {
    let agent = Outside::new("packages-build");
    agent.cargo(&["add", "--quiet", "helix-skills"]);
    agent.cargo(&["add", "--quiet", "--build", "helix-skills-project"]);
    let build = "fn main() -> Result<(), helix_skills_project::Error> {\n    \
                 helix_skills_project::build::sync()\n}\n";
    agent.consumer.write("build.rs", build);
    let manifest = "{\"skills\": {\"own\": {\"type\": \"path\", \"path\": \"skills\"}}}";
    agent.consumer.write("helix.skills.json", manifest);
    let main = "helix_skills::include_skills!(mod skills);\n\
                fn main() { print!(\"{}\", skills::TOOLBOX.catalog()); }\n";
    assert!(agent.prints(main).ends_with("\n- pdf: Reads PDF files.\n"));
    assert!(agent.consumer.read("helix.skills.lock").contains("\"pdf\""));
}

#[test]
fn agent_serves_directories_of_the_host() {
    let agent = Outside::new("packages-host");
    agent.cargo(&["add", "--quiet", "helix-skills", "--features", "agent"]);
    agent.cargo(&["add", "--quiet", "helix-skills-host", "pollster"]);
    let printed = agent.prints(
        "fn main() {\n    let directories = helix_skills_host::Directories::new().root(\"skills\");\n    \
         let toolbox = helix_skills::AsyncToolbox::builder(directories).build();\n    \
         print!(\"{}\", pollster::block_on(toolbox).unwrap().catalog());\n}\n",
    );
    assert!(printed.ends_with("\n- pdf: Reads PDF files.\n"), "{printed}");
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;

/// Starts a server of MCP and returns its answer to a client that initializes the connection.
#[track_caller]
fn initialized(command: &mut Command) -> String {
    let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = server.stdin.take().unwrap();
    writeln!(input, "{INITIALIZE}").unwrap();
    writeln!(input, r#"{{"jsonrpc":"2.0","method":"notifications/initialized"}}"#).unwrap();
    drop(input);
    let output = server.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn mcp_server_and_its_program_serve_skills() {
    let server = Outside::new("packages-mcp");
    server.cargo(&["add", "--quiet", "helix-skills", "helix-skills-mcp"]);
    server.cargo(&["add", "--quiet", "tokio", "--features", "macros,rt-multi-thread"]);
    server.consumer.write(
        "src/main.rs",
        "helix_skills::include_skills!(mod skills, dir = \"skills\");\n\
         #[tokio::main]\nasync fn main() -> Result<(), Box<dyn std::error::Error>> {\n    \
         helix_skills_mcp::serve_stdio(skills::TOOLBOX).await\n}\n",
    );
    server.cargo(&["build", "--quiet"]);
    let built = kept("target/debug/packages-mcp");
    assert!(initialized(&mut Command::new(built)).contains("pdf: Reads PDF files."));

    server.install(&["helix-skills-cli"]);
    output(server.program("skills").arg("init"));
    output(server.program("skills").args(["add", "./skills"]));
    server.install(&["helix-skills-mcp", "--features", "cli"]);
    let mut program = server.program("skills-mcp");
    assert!(initialized(&mut program).contains("pdf: Reads PDF files."));
}

#[test]
fn installed_program_makes_what_an_agent_embeds() {
    let agent = Outside::new("packages-cli");
    // With the lockfile of the package, as the documentation recommends for reproducible installs.
    agent.install(&["helix-skills-cli", "--locked"]);
    let version = output(agent.program("skills").arg("--version"));
    assert_eq!(output(agent.program("cargo-skills").args(["skills", "--version"])), version);
    output(agent.program("skills").args(["add", "./skills"]));
    output(agent.program("skills").args(["sync", "--check", "--store"]));
    agent.cargo(&["add", "--quiet", "helix-skills"]);
    let main = "helix_skills::include_skills!(mod skills);\n\
                fn main() { print!(\"{}\", skills::TOOLBOX.catalog()); }\n";
    assert!(agent.prints(main).ends_with("\n- pdf: Reads PDF files.\n"));
}

#[test]
fn agent_of_rig_is_that_of_the_readme() {
    let packages = published();
    let rig = packages.iter().find(|package| package["name"] == "helix-skills-rig").unwrap();
    let readme = REGISTRY.join(name_and_version(rig)).join("README.md");
    let readme = fs::read_to_string(readme).unwrap();
    let [example] = blocks_of(&readme, "rust").collect::<Vec<_>>()[..] else {
        panic!("expected one example: {readme}")
    };
    let agent = Outside::new("packages-rig");
    let add = ["add", "--quiet", "--ignore-rust-version"];
    agent.cargo(&[&add[..], &["helix-skills", "helix-skills-rig"]].concat());
    agent.cargo(&[&add[..], &["rig", "--no-default-features", "-F", "agent,reqwest"]].concat());
    let main = "fn main() {\n    drop(answer(\"\"));\n    \
                print!(\"{}\", skills::TOOLBOX.catalog());\n}\n";
    let example = example.replace("\"../examples/agent\"", "dir = \"skills\"");
    agent.consumer.write("src/main.rs", example + main);
    let printed = agent.cargo(&["run", "--quiet", "--ignore-rust-version"]).stdout;
    assert!(printed.ends_with("\n- pdf: Reads PDF files.\n"), "{printed}");
}

#[test]
fn packages_have_sources_licenses_and_readme_only() {
    for package in published() {
        let directory = REGISTRY.join(name_and_version(&package));
        let mut files: Vec<String> = fs::read_dir(&directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        // Tests and examples need the checkout.
        let mut expected = vec![
            ".cargo-checksum.json",
            ".cargo_vcs_info.json",
            "Cargo.lock",
            "Cargo.toml",
            "Cargo.toml.orig",
            "LICENSE-APACHE",
            "LICENSE-MIT",
            "README.md",
            "src",
        ];
        if package["name"] == "helix-skills" {
            expected.insert(2, "CHANGELOG.md");
        }
        assert_eq!(files, expected, "{}", directory.display());
        for file in ["README.md", "LICENSE-APACHE", "LICENSE-MIT"] {
            let text = fs::read_to_string(directory.join(file)).unwrap();
            assert!(text.lines().count() > 10, "{}: {file} is short", directory.display());
        }
    }
}
