//! The ways in which the text of a skill reaches a model.

use super::{ModelInput, grammar};
use helix_skills_agent::shell::{ExitStatus, ProcessOutput, Shell, ShellCommand, ShellContext};
use helix_skills_agent::{
    AsyncToolbox, AsyncToolboxBuilder, BoxFuture, Registry,
    run::{Answer, Message, Model, Run, ToolDefinition},
};
use helix_skills_runtime::{
    __internal::tool_names,
    __private::{Parts, is_neutral, neutral},
    Arguments, Call, IndexOptions, Profile, Reply, Resource, SearchMode, SearchOptions, Skill,
    SkillSet, Toolbox, Variables,
};
use pollster::block_on;
use std::{sync::Mutex, time::Duration};

pub(super) fn all(skills: &[Skill], profile: Profile, input: &ModelInput) {
    // A provider's skill with the name of a tool is left out; this is not about that.
    let mut skills = skills.to_vec();
    skills.retain(|skill| tool_names(profile).all(|tool| tool != skill.name()));
    let skills = &skills;
    let set = SkillSet::new(skills);
    let index = set.index(&IndexOptions::new());
    let builder = Toolbox::builder(set.with_index(&index))
        .profile(profile)
        .at("/skills")
        .search(SearchMode::ToolAndList);
    let toolbox = builder.build().unwrap_or_else(|why| panic!("{why}"));
    let preloaded: Vec<&str> =
        toolbox.skills().map(|skill| skill.name()).take(usize::from(input.preloads)).collect();
    let toolbox = builder.preload(&preloaded).build().unwrap_or_else(|why| panic!("{why}"));
    let catalog = toolbox.catalog().to_string();
    toolbox_alone(&toolbox, &preloaded, input);
    let builder = || {
        AsyncToolbox::builder(Registry::from(set))
            .profile(profile)
            .at("/skills")
            .preload(&preloaded)
    };
    let builder = || builder().search(SearchMode::ToolAndList);
    let resolved = block_on(builder().build()).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(resolved.catalog(), catalog, "the catalog of a provider differs");
    provided(skills, &resolved, input);
    live(skills, builder(), profile, input);
    skills.iter().for_each(|skill| run(skill, profile, input));
}

/// Checks all texts of a toolbox.
fn toolbox_alone(toolbox: &Toolbox<'_>, preloaded: &[&str], input: &ModelInput) {
    let profile = toolbox.profile();
    let shown: Vec<&Skill> = toolbox.skills().collect();
    grammar::catalog(&toolbox.catalog().to_string(), profile, &shown, |skill| {
        preloaded.contains(&skill.name())
    });
    for tool in toolbox.tools([]).into_iter().flatten() {
        let parameters = serde_json::to_value(tool.parameters()).expect("a schema is JSON");
        assert!(parameters.is_object(), "{}", tool.parameters());
        let names =
            ["name", "skill", "skill_name"].map(|key| &parameters["properties"][key]["enum"]);
        let names = names.into_iter().filter_map(|names| names.as_array());
        names.for_each(|names| assert!(names.iter().eq(shown.iter().map(|skill| skill.name()))));
    }
    if let (Profile::Agentick, Some(tool)) =
        (profile, toolbox.tools([]).into_iter().flatten().next())
    {
        grammar::tool_list(&tool.description(), &shown);
    }
    for skill in toolbox.set().iter() {
        let reply = |arguments| toolbox.answer(Call::LoadSkill { name: skill.name(), arguments });
        loaded(&reply(None), profile, skill, Some(""));
        loaded(
            &reply(Some(Arguments::text(&input.arguments))),
            profile,
            skill,
            Some(&input.arguments),
        );
        let json =
            serde_json::json!({"a": input.arguments, "who": input.query, "0": [input.output]})
                .to_string();
        loaded(&reply(Arguments::json(&json).ok()), profile, skill, None);
        if let Some(invoked) = toolbox.slash(&format!("/{} {}", skill.name(), input.arguments)) {
            invoked_text(&invoked.to_string(), profile, skill);
        }
        files(toolbox, skill, input);
        baked(toolbox, skill);
        if let Some(mistake) =
            toolbox.skill_as_tool(&skill.name().to_uppercase(), [input.query.as_str()])
        {
            grammar::line(&mistake.to_string());
        }
    }
    for query in [&input.query, "skill does it"] {
        grammar::found(&toolbox.answer(Call::SearchSkills { query }).to_string());
        let hits = toolbox.search(query, &SearchOptions::new());
        grammar::reminder(&toolbox.reminder(&hits), hits.len());
    }
    for call in [
        Call::LoadSkill { name: &input.query, arguments: None },
        Call::ReadSkillFile { skill: &input.query, path: "a.md", start_line: None, end_line: None },
    ] {
        let reply = toolbox.answer(call);
        if reply.is_error() {
            grammar::line(&reply.to_string());
        }
    }
}

/// Checks a reply with the text of a skill, or an error. If the skill declares no arguments, the
/// text must be the whole body followed by `arguments`; `None` skips this comparison.
fn loaded(reply: &Reply<'_>, profile: Profile, skill: &Skill, arguments: Option<&str>) {
    let text = reply.to_string();
    if reply.is_error() {
        return grammar::line(&text);
    }
    let message = reply.message().map(|message| message.to_string());
    let body = grammar::loaded(&text, message.as_deref(), profile, skill);
    // Declared arguments fill the body.
    let declares = !skill.arguments().is_empty() || skill.argument_hint().is_some();
    if let (Profile::Helix | Profile::DeerFlow | Profile::DeepAgents, Some(arguments), false) =
        (profile, arguments, declares)
    {
        let arguments = match arguments.trim() {
            "" => String::new(),
            _ => format!("\n\nARGUMENTS: {arguments}"),
        };
        assert_eq!(unescaped(body), unescaped(&format!("{}{arguments}", skill.body())));
    }
}

fn invoked_text(text: &str, profile: Profile, skill: &Skill) {
    match profile {
        Profile::SkillUse => grammar::context(text, skill),
        _ => grammar::loaded(text, None, profile, skill),
    };
}

/// Returns a text with every bracket as it may have been before escaping.
fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace(['\u{ff1c}', '\u{fe64}'], "<")
}

fn files(toolbox: &Toolbox<'_>, skill: &Skill, input: &ModelInput) {
    let paths = skill.resources().iter().map(Resource::path);
    for path in paths.chain(["SKILL.md", &input.query]) {
        for (start_line, end_line) in [(None, None), input.lines] {
            let reply = toolbox.answer(Call::ReadSkillFile {
                skill: skill.name(),
                path,
                start_line,
                end_line,
            });
            let text = reply.to_string();
            if reply.is_error() {
                grammar::line(&text);
                continue;
            }
            let content = grammar::file(&text, skill.name(), path);
            if let (Some(file), (None, None)) = (skill.resource(path), (start_line, end_line)) {
                let whole = file.text().unwrap_or_default();
                let line_feed = if whole.ends_with('\n') || whole.is_empty() { "" } else { "\n" };
                assert_eq!(unescaped(content), unescaped(&format!("{whole}{line_feed}")));
            }
        }
    }
}

/// Checks that baked skills give the same texts: a body as a literal, and files that are known to
/// contain no tag.
fn baked(toolbox: &Toolbox<'_>, skill: &Skill) {
    let mut files: Vec<Resource> = skill.resources().to_vec();
    files.retain(|file| file.text().is_some());
    let is_neutral = |file: &Resource| file.plain_text().is_some_and(is_neutral);
    let known = |file| if is_neutral(&file) { neutral(file) } else { file };
    let files: Vec<Resource> = files.into_iter().map(known).collect();
    let (name, profile) = (skill.name(), toolbox.profile());
    let [frontmatter, body, trailing] = skill.skill_md();
    let parts = Parts {
        name,
        description: skill.description(),
        frontmatter,
        body,
        trailing,
        resources: &files,
        ..Parts::EMPTY
    };
    let literal = Skill::from(parts).loaded().to_string();
    let all = [Skill::from(Parts { loaded: Some(&literal), ..parts })];
    let baked = Toolbox::builder(SkillSet::new(&all))
        .profile(profile)
        .build()
        .unwrap_or_else(|why| panic!("{why}"));
    loaded(&baked.answer(Call::LoadSkill { name, arguments: None }), profile, &all[0], Some(""));
    for file in files.iter().filter(|_| toolbox.load_skill(name).is_ok()) {
        let read = |toolbox: &Toolbox<'_>| {
            let call = Call::ReadSkillFile {
                skill: name,
                path: file.path(),
                start_line: None,
                end_line: None,
            };
            toolbox.answer(call).to_string()
        };
        assert_eq!(read(&baked), read(toolbox), "the text of a baked file differs");
    }
}

/// Checks the same texts from a provider.
fn provided(skills: &[Skill], resolved: &AsyncToolbox<Registry>, input: &ModelInput) {
    let profile = resolved.listed().profile();
    for skill in skills {
        {
            let arguments = Some(Arguments::text(&input.arguments));
            let reply =
                block_on(resolved.answer(Call::LoadSkill { name: skill.name(), arguments }));
            loaded(&reply, profile, skill, Some(&input.arguments));
            let message = format!("/{} {}", skill.name(), input.arguments);
            if let Some(reply) =
                block_on(resolved.slash(&message)).filter(|reply| !reply.is_error())
            {
                invoked_text(&reply.to_string(), profile, skill);
            }
            for path in skill.resources().iter().map(Resource::path).chain([&*input.query]) {
                let call = Call::ReadSkillFile {
                    skill: skill.name(),
                    path,
                    start_line: None,
                    end_line: None,
                };
                let reply = block_on(resolved.answer(call));
                match reply.is_error() {
                    true => grammar::line(&reply.to_string()),
                    false => drop(grammar::file(&reply.to_string(), skill.name(), path)),
                }
            }
        };
    }
    let found = block_on(resolved.answer(Call::SearchSkills { query: &input.query }));
    grammar::found(&found.to_string());
    let reply = block_on(resolved.answer(Call::LoadSkill { name: &input.query, arguments: None }));
    if reply.is_error() {
        grammar::line(&reply.to_string());
    }
}

/// A shell in which every command has the same output.
struct FixedOutput(String);

impl Shell for FixedOutput {
    fn run<'s>(&'s self, _: ShellCommand<'s>) -> BoxFuture<'s, ProcessOutput> {
        let exit = ExitStatus::Code(i32::from(self.0.len().is_multiple_of(3)));
        Box::pin(async move { Ok(ProcessOutput::new(&*self.0, exit, Duration::ZERO)) })
    }
}

/// Checks the same texts with command output inserted.
fn live(
    skills: &[Skill],
    builder: AsyncToolboxBuilder<Registry>,
    profile: Profile,
    input: &ModelInput,
) {
    let context = ShellContext::new(FixedOutput(input.output.clone()))
        .show_failures(true)
        .directory_of_shell();
    let context = context.variables(Variables::new().set("X", &*input.query).session(&input.query));
    let toolbox = block_on(builder.shell(context).build()).unwrap_or_else(|why| panic!("{why}"));
    for skill in skills {
        {
            let arguments = Some(Arguments::text(&input.arguments));
            let reply = block_on(toolbox.answer(Call::LoadSkill { name: skill.name(), arguments }));
            loaded(&reply, profile, skill, None);
            if let Some(reply) =
                block_on(toolbox.slash(&format!("/{} {}", skill.name(), input.arguments)))
            {
                match reply.is_error() {
                    true => grammar::line(&reply.to_string()),
                    false => invoked_text(&reply.to_string(), profile, skill),
                }
            }
        };
    }
}

/// A model that ends a run at once and keeps its messages.
#[derive(Default)]
struct Listener(Mutex<Vec<Message>>);

impl Model for Listener {
    fn answer<'m>(
        &'m self,
        messages: &'m [Message],
        _: &'m [ToolDefinition],
    ) -> BoxFuture<'m, Answer> {
        *self.0.lock().unwrap_or_else(|why| why.into_inner()) = messages.to_vec();
        Box::pin(async { Ok(Answer::from("Done.")) })
    }
}

/// Checks a run of one skill.
fn run(skill: &Skill, profile: Profile, input: &ModelInput) {
    let model = Listener::default();
    let run = Run::new(skill.clone()).profile(profile).arguments(&*input.arguments);
    let result = block_on(run.commands_as_text().text(&model));
    assert!(result.is_ok(), "{result:?}");
    let messages = model.0.into_inner().unwrap_or_default();
    let [Message::System(_), Message::User(text)] = &*messages else { panic!("{messages:?}") };
    let mut parser = grammar::Parser::new(text);
    parser.literal(&format!("<skill name=\"{}\">\n", skill.name()));
    parser.last_text("\n</skill>");
    parser.end();
}
