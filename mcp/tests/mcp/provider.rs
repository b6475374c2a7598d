//! Skills of a provider.

use crate::{connect, read, verify};
use helix_skills::{
    AsyncToolbox, Profile, Provider, Resource, Skill,
    provider::{BoxFuture, Provided},
};
use helix_skills_host::Directories;
use helix_skills_mcp::{Skills, rmcp};
use rmcp::{
    ClientHandler, RoleClient, ServiceError, model::CallToolRequestParams,
    service::NotificationContext,
};
use serde_json::json;
use std::{fs, path::Path, time::Duration};
use tokio::sync::mpsc;

const TEXT: &str = "---\nname: pdf\ndescription: Reads PDF files.\nversion: 1.0\n\
                    metadata:\n  stable: true\n  levels: [1, two]\n---\n\nUse `pdftotext`.\n";

fn write(directory: &Path, name: &str, text: &str) {
    fs::create_dir_all(directory.join(name)).unwrap();
    fs::write(directory.join(name).join("SKILL.md"), text).unwrap();
}

/// A client that passes on which lists have changed.
struct Waiting(mpsc::UnboundedSender<&'static str>);

impl ClientHandler for Waiting {
    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.0.send("tools").unwrap();
    }

    async fn on_prompt_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.0.send("prompts").unwrap();
    }

    async fn on_resource_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.0.send("resources").unwrap();
    }
}

#[tokio::test]
async fn changes_are_listed_and_notified() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "pdf", TEXT);
    let builder = AsyncToolbox::builder(Directories::new().root(folder.path()));
    let skills = Skills::new(builder).await.unwrap();
    let (sender, mut changed) = mpsc::unbounded_channel();
    let client = connect(Waiting(sender), skills).await;
    let capabilities = &client.peer_info().unwrap().capabilities;
    assert_eq!(capabilities.resources.as_ref().unwrap().list_changed, Some(true));
    assert_eq!(verify(&client).await, ["skill://pdf/SKILL.md"]);
    let listed = client.list_skills(None).await.unwrap();
    assert!(listed.ttl_ms.is_none_or(|keep| keep == 0));
    let listed = listed.skills;
    assert_eq!(
        json!(listed[0].frontmatter),
        json!({
            "name": "pdf", "description": "Reads PDF files.", "version": 1.0,
            "metadata": {"stable": true, "levels": [1, "two"]},
        })
    );

    // The time in which a list counts as current is over, and no request looks for changes.
    tokio::time::sleep(Duration::from_millis(1100)).await;
    write(folder.path(), "csv", &TEXT.replace("name: pdf", "name: csv"));
    let mut lists = Vec::new();
    while lists.len() < 3 {
        let wait = tokio::time::timeout(Duration::from_secs(60), changed.recv());
        lists.push(wait.await.expect("a notification").unwrap());
    }
    lists.sort_unstable();
    assert_eq!(lists, ["prompts", "resources", "tools"]);
    assert_eq!(verify(&client).await, ["skill://csv/SKILL.md", "skill://pdf/SKILL.md"]);
    let call = CallToolRequestParams::new("load_skill")
        .with_arguments(json!({"name": "csv"}).as_object().unwrap().clone());
    assert_ne!(client.call_tool(call).await.unwrap().is_error, Some(true));

    // A change of a file alone changes its digest, and so the resources.
    tokio::time::sleep(Duration::from_millis(1100)).await;
    fs::write(folder.path().join("pdf/notes.md"), "Later.").unwrap();
    let wait = tokio::time::timeout(Duration::from_secs(60), changed.recv());
    assert_eq!(wait.await.expect("a notification"), Some("resources"));
    assert_eq!(verify(&client).await.len(), 3);
}

/// A provider that lists a skill and cannot load it.
struct Broken;

impl Provider for Broken {
    fn list(&self, _: Profile) -> BoxFuture<'_, Provided> {
        let skill = Skill::define("pdf", "Reads PDF files.", "Use it.").build();
        Box::pin(async { Ok(vec![skill].into()) })
    }

    fn load<'p>(&'p self, _: &'p str, _: Profile) -> BoxFuture<'p, Option<Skill>> {
        Box::pin(async { Err("the database is down".into()) })
    }
}

#[tokio::test]
async fn skill_that_cannot_be_loaded_is_reported() {
    let skills = Skills::new(AsyncToolbox::builder(Broken)).await.unwrap();
    assert_eq!(
        skills.warnings(),
        ["`pdf` is not in `skills/list`, but in the tools: the database is down"]
    );
    let client = connect((), skills).await;
    assert!(client.list_skills(None).await.unwrap().skills.is_empty());
}

#[tokio::test]
async fn skills_that_the_extension_refuses_are_in_the_tools() {
    let define = |name, files: &[Resource]| {
        Skill::define(name, "For a test.", "Read it.").resources(files).try_build().unwrap()
    };
    let many: Vec<_> = (0..512).map(|at| Resource::new(&format!("{at:03}.txt"), "")).collect();
    let large = Resource::new("data.txt", vec![b'x'; 16 << 20]);
    let text = |name: &str| TEXT.replace("name: pdf", &format!("name: {name}"));
    let parse = |text: &str| helix_skills_format::parse_skill(text, Some("unnamed")).unwrap().value;
    let mut renamed = parse(TEXT);
    renamed.rename("team-pdf").unwrap();
    let all = vec![
        define("many", &many),
        define("most", &many[1..]),
        define("large", &[large]),
        parse(&text("Upper")),
        parse(&TEXT.replace("name: pdf\n", "")),
        parse(&TEXT.replace("Reads PDF files.", &"x".repeat(1025))),
        renamed,
    ];
    let skills = Skills::new(AsyncToolbox::builder(all)).await.unwrap();
    let left_out =
        |name, reason| format!("`{name}` is not in `skills/list`, but in the tools: {reason}");
    assert_eq!(
        skills.warnings(),
        [
            left_out(
                "Upper",
                "clients refuse the name `Upper` in its frontmatter: use at most 64 \
                characters, a to z, 0 to 9 and single hyphens"
            ),
            left_out(
                "large",
                "it has 16777277 bytes, and clients need not load more than 16777216"
            ),
            left_out("many", "it has 513 files, and clients need not load more than 512"),
            left_out("pdf", "its description has 1025 characters, the maximum is 1024"),
            left_out("unnamed", "its frontmatter has no `name`"),
        ]
    );
    let client = connect((), skills).await;
    let listed = client.list_skills(None).await.unwrap().skills;
    let uris: Vec<_> = listed.iter().map(|skill| &*skill.uri).collect();
    // The last segment is the author's name, and the first one is unique.
    assert_eq!(uris, ["skill://most/SKILL.md", "skill://team-pdf/pdf/SKILL.md"]);
    assert_eq!(verify(&client).await.len(), 513);
    assert!(read(&client, "skill://pdf/SKILL.md").await.is_err());
    for name in ["Upper", "large", "many", "pdf", "unnamed", "team-pdf"] {
        let call = CallToolRequestParams::new("load_skill")
            .with_arguments(json!({"name": name}).as_object().unwrap().clone());
        let loaded = client.call_tool(call).await.unwrap();
        assert_ne!(loaded.is_error, Some(true), "{name}");
    }
}

/// A provider whose list fails after the first time.
struct Failing(std::sync::atomic::AtomicUsize);

impl Provider for Failing {
    fn list(&self, _: Profile) -> BoxFuture<'_, Provided> {
        let count = self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Box::pin(async move {
            match count {
                0 => Ok(vec![Skill::define("pdf", "Reads PDF files.", "Use it.").build()].into()),
                _ => Err("the database is down".into()),
            }
        })
    }

    fn load<'p>(&'p self, name: &'p str, _: Profile) -> BoxFuture<'p, Option<Skill>> {
        Box::pin(
            async move { Ok(Skill::define(name, "Reads PDF files.", "Use it.").try_build().ok()) },
        )
    }
}

#[tokio::test]
async fn failed_list_is_an_error_and_calls_still_work() {
    let provider = Failing(Default::default());
    let skills = Skills::new(AsyncToolbox::builder(provider)).await.unwrap();
    let client = connect((), skills).await;
    tokio::time::sleep(Duration::from_millis(1100)).await;
    let error = client.list_skills(None).await.unwrap_err();
    let ServiceError::McpError(error) = error else { panic!("an answer: {error}") };
    assert_eq!(error.message, "failed to list the skills of the provider: the database is down");
    let call = CallToolRequestParams::new("load_skill")
        .with_arguments(json!({"name": "pdf"}).as_object().unwrap().clone());
    assert_ne!(client.call_tool(call).await.unwrap().is_error, Some(true));
}
