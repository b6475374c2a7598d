//! Agents, build scripts and programs that get these crates from a registry, as users do.
//!
//! The registry is a directory source: the `.crate` files that `cargo package` makes of this
//! checkout, unpacked, next to the third-party crates of Cargo.lock. The consumers are outside of
//! the checkout, and no manifest has a path.
//!
//! Requires the feature `packages`, because it builds every published crate once more and
//! downloads the crates of all platforms.

use crate::cargo::{Consumer, Run, workspace};
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
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments).current_dir(workspace()).env("CARGO_TARGET_DIR", kept("target"));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The published packages, as cargo's metadata describes them.
fn published() -> Vec<Value> {
    let metadata = cargo(&["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages.filter(|package| package["publish"].is_null()).cloned().collect()
}

/// The directory source, which is made once per test run.
static REGISTRY: LazyLock<PathBuf> = LazyLock::new(|| {
    let registry = kept("registry");
    cargo(&["vendor", "--quiet", "--locked", "--versioned-dirs", registry.to_str().unwrap()]);
    let packages = published();
    let mut arguments = vec!["package", "--quiet", "--no-verify", "--allow-dirty"];
    for package in &packages {
        arguments.extend(["--package", package["name"].as_str().unwrap()]);
    }
    cargo(&arguments);
    for package in &packages {
        let name = format!(
            "{}-{}",
            package["name"].as_str().unwrap(),
            package["version"].as_str().unwrap()
        );
        let archive = kept("target").join("package").join(format!("{name}.crate"));
        drop(fs::remove_dir_all(registry.join(&name)));
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
        let directory = TempDir::new().unwrap();
        let consumer = Consumer { dir: directory.path().to_owned() };
        consumer.package("", name, "").write(
            ".cargo/config.toml",
            format!(
                "[source.crates-io]\nreplace-with = \"packages\"\n\
                 [source.packages]\ndirectory = {:?}\n",
                *REGISTRY
            ),
        );
        consumer.write("skills/pdf/SKILL.md", PDF).write("src/main.rs", "fn main() {}\n");
        Self { consumer, _directory: directory }
    }

    fn cargo(&self, arguments: &[&str]) -> Run {
        let target = kept("consumers-target");
        self.consumer.cargo_with("", &[("CARGO_TARGET_DIR", &target)], arguments).success()
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
        // `cargo install` does not search the working directory for a configuration.
        let config = self.consumer.dir.join(".cargo/config.toml");
        let (root, config) = (root.to_str().unwrap(), config.to_str().unwrap());
        let install = ["install", "--quiet", "--debug", "--root", root, "--config", config];
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
    let built = kept("consumers-target/debug/packages-mcp");
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
fn packages_have_their_licenses_and_readme() {
    for package in published() {
        let name = format!(
            "{}-{}",
            package["name"].as_str().unwrap(),
            package["version"].as_str().unwrap()
        );
        for file in ["README.md", "LICENSE-APACHE", "LICENSE-MIT"] {
            let packaged = REGISTRY.join(&name).join(file);
            let text = fs::read_to_string(&packaged).unwrap_or_default();
            assert!(text.lines().count() > 10, "{} is missing or short", packaged.display());
        }
        assert!(
            !REGISTRY.join(&name).join("tests").exists(),
            "{name} has tests that need the checkout"
        );
    }
}
