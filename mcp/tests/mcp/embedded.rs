//! Skills of the program.

use crate::{connect, read, verify};
use helix_skills::{Profile, Resource, Skill, SkillSet, Toolbox, include_skills, skill_set};
use helix_skills_mcp::rmcp;
use rmcp::{
    ServiceError,
    model::{
        CallToolRequestParams, ErrorCode, GetPromptRequestParams, PaginatedRequestParams,
        ReadResourceDirectoryRequestParams,
    },
};
use serde_json::json;

include_skills!(mod skills, "../examples/agent");

const FILES: &[Resource] = &[
    Resource::from_bytes("assets/logo 100%.png", b"\x89PNG\xff"),
    Resource::from_text("references/deep/größe.md", "# Größe\r\n"),
    Resource::from_text("references/zero.txt", "a\0b"),
];
const DEPLOY: Skill = Skill::define("deploy", "Deploys.", "Deploy $service to $place.")
    .arguments(&["service", "place"])
    .argument_hint("SERVICE PLACE")
    .resources(FILES)
    .build();
const HIDDEN: Skill =
    Skill::define("hidden", "Not for users.", "Hush.").user_invocable(false).build();
static SKILLS: SkillSet = skill_set![DEPLOY, HIDDEN];

fn code(error: &ServiceError) -> ErrorCode {
    match error {
        ServiceError::McpError(error) => error.code,
        other => panic!("an answer: {other:?}"),
    }
}

#[tokio::test]
async fn every_file_has_the_digest_of_its_bytes() {
    let client = connect((), skills::TOOLBOX).await;
    let uris = verify(&client).await;
    let files: usize = skills::SKILLS.iter().map(|skill| skill.resources().len() + 1).sum();
    assert_eq!(uris.len(), files);
    assert!(uris.contains(&"skill://incident-review/references/questions.md".to_owned()));

    let client = connect((), SKILLS).await;
    let uris = verify(&client).await;
    assert_eq!(
        uris,
        [
            "skill://deploy/SKILL.md",
            "skill://deploy/assets/logo%20100%25.png",
            "skill://deploy/references/deep/gr%C3%B6%C3%9Fe.md",
            "skill://deploy/references/zero.txt",
            "skill://hidden/SKILL.md",
        ]
    );
}

#[tokio::test]
async fn directories_list_files_and_directories() {
    let client = connect((), SKILLS).await;
    let list = async |uri: &str| {
        let request = ReadResourceDirectoryRequestParams::new(uri);
        let result = client.read_resource_directory(request).await;
        result.map(|page| {
            let child = |file: rmcp::model::Resource| (file.name, file.mime_type, file.size);
            page.resources.into_iter().map(child).collect::<Vec<_>>()
        })
    };
    let directory = Some("inode/directory".to_owned());
    assert_eq!(
        list("skill://deploy").await.unwrap(),
        [
            ("SKILL.md".to_owned(), Some("text/markdown".to_owned()), Some(77)),
            ("assets".to_owned(), directory.clone(), None),
            ("references".to_owned(), directory.clone(), None),
        ]
    );
    assert_eq!(list("skill://deploy/").await.unwrap(), list("skill://deploy").await.unwrap());
    assert_eq!(
        list("skill://deploy/references").await.unwrap(),
        [
            ("deep".to_owned(), directory, None),
            ("zero.txt".to_owned(), Some("text/plain".to_owned()), Some(3)),
        ]
    );
    assert_eq!(list("skill://deploy/references/deep").await.unwrap()[0].0, "größe.md");
    for uri in ["skill://", "skill://dep", "skill://deploy/SKILL.md", "skill://deploy/refer", "x"] {
        assert_eq!(code(&list(uri).await.unwrap_err()), ErrorCode::INVALID_PARAMS, "{uri}");
    }
}

#[tokio::test]
async fn other_uris_are_not_found() {
    let client = connect((), SKILLS).await;
    for uri in [
        "skill://deploy",
        "skill://deploy/",
        "skill://deploy/../hidden/SKILL.md",
        "skill://deploy/./SKILL.md",
        "skill://deploy/%2e%2e/hidden/SKILL.md",
        "skill://deploy%2FSKILL.md",
        "skill://deploy/references%2fzero.txt",
        "skill://deploy/references/zero.txt%00",
        "skill://deploy/assets/logo 100%.png",
        "skill://deploy/SKILL.md?x",
        "skill://DEPLOY/SKILL.md",
        "file:///etc/passwd",
        "",
    ] {
        let error = read(&client, uri).await.unwrap_err();
        assert_eq!(code(&error), ErrorCode::RESOURCE_NOT_FOUND, "{uri}");
    }
    let pages = [Some("".to_owned()), Some("2".to_owned())];
    for cursor in pages {
        let request = Some(PaginatedRequestParams::default().with_cursor(cursor));
        let error = client.list_skills(request.clone()).await.unwrap_err();
        assert_eq!(code(&error), ErrorCode::INVALID_PARAMS);
        for error in [
            client.list_tools(request.clone()).await.map(drop),
            client.list_prompts(request.clone()).await.map(drop),
            client.list_resources(request).await.map(drop),
        ] {
            assert_eq!(code(&error.unwrap_err()), ErrorCode::INVALID_PARAMS);
        }
    }
}

#[tokio::test]
async fn client_without_the_extension_gets_tools_and_catalog() {
    let client = connect((), skills::TOOLBOX).await;
    let info = client.peer_info().unwrap();
    assert!(info.instructions.as_ref().unwrap().contains("\n- incident-review: "));
    assert_eq!(info.server_info.as_ref().unwrap().name, "helix-skills-mcp");
    assert_eq!(info.capabilities.tools.as_ref().unwrap().list_changed, None);

    let listed = client.list_tools(None).await.unwrap();
    // Embedded skills do not change while the server runs.
    assert_eq!(listed.ttl_ms, Some(3_600_000));
    assert_eq!(client.list_skills(None).await.unwrap().ttl_ms, Some(3_600_000));
    let tools = listed.tools;
    let hints = |tool: &rmcp::model::Tool| tool.annotations.as_ref().unwrap().read_only_hint;
    let tools: Vec<_> = tools.iter().map(|tool| (&*tool.name, hints(tool))).collect();
    assert_eq!(tools, [("load_skill", Some(true)), ("read_skill_file", Some(true))]);

    let call = async |tool: &'static str, arguments: serde_json::Value| {
        let arguments = arguments.as_object().unwrap().clone();
        client.call_tool(CallToolRequestParams::new(tool).with_arguments(arguments)).await
    };
    let loaded = call("load_skill", json!({"name": "incident-review"})).await.unwrap();
    let text = &loaded.content[0].as_text().unwrap().text;
    assert!(text.starts_with("<skill name=\"incident-review\">"), "{text}");
    assert_ne!(loaded.is_error, Some(true));
    let unknown = call("load_skill", json!({"name": "incident"})).await.unwrap();
    assert_eq!(unknown.is_error, Some(true));
    assert!(unknown.content[0].as_text().unwrap().text.contains("did you mean `incident-review`?"));
    let error = call("get_weather", json!({})).await.unwrap_err();
    assert_eq!(code(&error), ErrorCode::INVALID_PARAMS);
    assert!(error.to_string().contains("unknown tool `get_weather`"), "{error}");
}

#[tokio::test]
async fn prompts_pass_their_arguments_apart_from_each_other() {
    let toolbox = Toolbox::builder(SKILLS).profile(Profile::Agentick).build().unwrap();
    let client = connect((), toolbox).await;
    let prompts = client.list_prompts(None).await.unwrap().prompts;
    let arguments = |prompt: &rmcp::model::Prompt| {
        let all = prompt.arguments.as_ref().unwrap().iter();
        all.map(|argument| (argument.name.clone(), argument.required)).collect::<Vec<_>>()
    };
    assert_eq!(prompts.iter().map(|prompt| &*prompt.name).collect::<Vec<_>>(), ["deploy"]);
    let optional = |name: &str| (name.to_owned(), Some(false));
    assert_eq!(arguments(&prompts[0]), [optional("service"), optional("place")]);

    let get = async |name: &str, arguments: serde_json::Value| {
        let arguments = arguments.as_object().unwrap().clone();
        let request = GetPromptRequestParams::new(name).with_arguments(arguments);
        let result = client.get_prompt(request).await;
        result.map(|got| got.messages[0].content.as_text().unwrap().text.clone())
    };
    let text = get("deploy", json!({"place": "eu \"1\" $service", "service": "web"})).await;
    let body = "Deploy web to eu \"1\" $service.";
    assert!(text.as_ref().unwrap().starts_with(body), "{text:?}");
    assert_eq!(get("deploy", json!({})).await.unwrap(), "Deploy $service to $place.");
    for (name, arguments, message) in [
        ("hidden", json!({}), "unknown prompt `hidden`"),
        (
            "deploy",
            json!({"city": "Rome"}),
            "the prompt `deploy` has no argument `city`: its arguments are `service`, `place`",
        ),
        ("deploy", json!({"place": 1}), "the argument `place` must be a string"),
    ] {
        let error = get(name, arguments).await.unwrap_err();
        assert_eq!(code(&error), ErrorCode::INVALID_PARAMS);
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[tokio::test]
async fn skill_without_declared_arguments_takes_one_text() {
    const FIX: Skill = Skill::define("fix", "Fixes an issue.", "Fix $ARGUMENTS.").build();
    static FIXES: SkillSet = skill_set![FIX];
    let toolbox = Toolbox::builder(FIXES).profile(Profile::ClaudeCode).build().unwrap();
    let client = connect((), toolbox).await;
    let arguments = json!({"arguments": "#12 'now'"}).as_object().unwrap().clone();
    let request = GetPromptRequestParams::new("fix").with_arguments(arguments);
    let got = client.get_prompt(request).await.unwrap();
    assert_eq!(got.messages[0].content.as_text().unwrap().text, "Fix #12 'now'.");
    assert_eq!(got.description.as_deref(), Some("Fixes an issue."));
}

#[test]
fn lazy_content_makes_a_skill_dynamic() {
    const FILES: &[Resource] = &[Resource::lazy("data/now.txt", || b"12:45")];
    const CLOCK: Skill =
        Skill::define("clock", "Tells the time.", "Read it.").resources(FILES).build();
    static CLOCKS: SkillSet = skill_set![CLOCK, HIDDEN];
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let client = connect((), CLOCKS).await;
        let skills = client.list_skills(None).await.unwrap().skills;
        assert_eq!(json!(skills[0].resources), json!("dynamic"));
        assert!(json!(skills[1].resources).is_array());
        assert_eq!(read(&client, "skill://clock/data/now.txt").await.unwrap(), b"12:45");
    });
}
