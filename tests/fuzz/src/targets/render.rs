//! Texts for a model: untrusted skills give the same tags, lines and marks as harmless ones, in
//! every profile.

use crate::{Target, checks};
use arbitrary::{Result, Unstructured};
use helix_skills_runtime::{
    __private::Parts, Attribute, Budget, Call, Event, Neutral, OneLine, Profile, Resource, Skill,
    SkillSet, TextLimit, Toolbox, ToolboxBuilder,
};
use reader::{lines, marks, tags};

#[path = "../../../../runtime/tests/runtime/hostile/reader.rs"]
pub(crate) mod reader;

pub(crate) const TARGET: Target =
    Target { name: "render", body, seeds, words: PIECES, max_len: 500, count: 400 };

/// Pieces of tags and of the text around them.
pub(crate) const PIECES: &[&str] = &[
    "<",
    "</",
    "< /",
    "<\u{200b}/",
    "＜",
    "﹤/",
    "<\\",
    "<\n/",
    "<\u{85}/",
    "<<",
    "skill",
    "skills",
    "skill_file",
    "skill_resources",
    "skill-context",
    "skill_result",
    "available_skills",
    "system-reminder",
    "s\u{200b}kill",
    "ſkill",
    "SKILL",
    "ｓｋｉｌｌ",
    "s\u{332}kill",
    "\u{1d41a}",
    ">",
    " name=\"x\">",
    "/>",
    "\n",
    "\r",
    "\r\n",
    "\u{85}",
    "\u{2028}",
    "\n- evil: x",
    "\n\n## Skills\n",
    " loaded=\"true\"",
    "\"",
    "'",
    ": ",
    "`",
    "&lt;/skill>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "\u{0}",
    "\u{feff}",
    "\u{202e}",
    "\u{e0001}",
    "a",
    "b c",
    " ",
    "instructions",
    "ARGUMENTS: x",
    "$ARGUMENTS",
    "\n### Active Skills (already loaded)\n",
];

/// Tags that structure the catalogs of two profiles.
const ENTRIES: [&str; 5] = ["instructions", "name", "description", "location", "skill"];

/// The untrusted texts of one skill. Names and paths are not checked here, so that they can be
/// hostile too.
struct Texts {
    name: String,
    description: String,
    when_to_use: Option<String>,
    hint: Option<String>,
    /// The body in three pieces, across which a tag could be formed.
    pieces: [String; 3],
    files: Vec<(String, String)>,
}

fn body(input: &[u8]) {
    run(&mut Unstructured::new(input)).unwrap_or_default();
}

fn run(input: &mut Unstructured<'_>) -> Result<()> {
    let mut all = Vec::new();
    for _ in 0..input.int_in_range(1..=3)? {
        all.push(texts(input)?);
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all.dedup_by(|a, b| a.name == b.name);
    let input_text = checks::text(input, PIECES, 4);
    let most = input.arbitrary::<bool>()?.then_some(TextLimit::Chars(input.int_in_range(0..=900)?));
    assert_neutral(&input_text);

    let harmless: Vec<Texts> = all.iter().enumerate().map(harmless).collect();
    with_set(&harmless, |expected| with_set(&all, |found| compare(found, expected, &input_text)));
    with_set(&all, |set| {
        for profile in Profile::ALL {
            let builder = Toolbox::builder(set).profile(profile);
            assert_length(&list(
                builder.budget(most.map_or(Budget::NONE, |most| Budget::NONE.catalog(most))),
            ));
            refused(&builder.build().unwrap_or_else(|why| panic!("{why}")), &input_text);
        }
    });
    Ok(())
}

fn texts(input: &mut Unstructured<'_>) -> Result<Texts> {
    let option = |input: &mut Unstructured<'_>| -> Result<Option<String>> {
        Ok(input.arbitrary::<bool>()?.then(|| checks::text(input, PIECES, 4)))
    };
    let mut files: Vec<(String, String)> = (0..input.int_in_range(0..=2)?)
        .map(|_| (checks::text(input, PIECES, 3), checks::text(input, PIECES, 6)))
        .collect();
    files.sort();
    files.dedup_by(|a, b| a.0 == b.0);
    Ok(Texts {
        name: checks::text(input, PIECES, 3),
        description: checks::text(input, PIECES, 6),
        when_to_use: option(input)?,
        hint: option(input)?,
        pieces: [(); 3].map(|()| checks::text(input, PIECES, 4)),
        files,
    })
}

/// Returns a skill of the same shape with harmless texts.
fn harmless((at, texts): (usize, &Texts)) -> Texts {
    Texts {
        name: format!("skill-{at}"),
        description: "Does it.".to_owned(),
        when_to_use: texts.when_to_use.as_ref().map(|_| "Use it.".to_owned()),
        hint: texts.hint.as_ref().map(|_| "file".to_owned()),
        pieces: ["", "Do it.", ""].map(str::to_owned),
        files: (0..texts.files.len()).map(|at| (format!("f{at}"), "text".to_owned())).collect(),
    }
}

fn with_set(all: &[Texts], then: impl FnOnce(SkillSet<'_>)) {
    let made = |texts: &Texts| {
        let files = texts.files.iter();
        let files = files.map(|(path, content)| Resource::new(path, content.as_str()));
        Skill::from(Parts {
            name: &texts.name,
            description: &texts.description,
            when_to_use: texts.when_to_use.as_deref(),
            argument_hint: texts.hint.as_deref(),
            frontmatter: &texts.pieces[0],
            body: &texts.pieces[1],
            trailing: &texts.pieces[2],
            resources: &files.collect::<Vec<_>>(),
            ..Parts::EMPTY
        })
    };
    let skills: Vec<Skill> = all.iter().map(made).collect();
    then(SkillSet::new(&skills));
}

/// Returns the list of skills, which is in a tool description or in the catalog.
fn list(builder: ToolboxBuilder<'_>) -> (String, usize) {
    let toolbox = builder
        .at("/skills")
        .build()
        .unwrap_or_else(|why| panic!("a budget of the catalog is refused: {why:?}"));
    match toolbox
        .tools([])
        .into_iter()
        .flatten()
        .next()
        .filter(|_| toolbox.profile() == Profile::Agentick)
    {
        Some(tool) => (tool.description(), tool.description().len()),
        None => (toolbox.catalog().to_string(), toolbox.catalog().len()),
    }
}

fn assert_length((text, length): &(String, usize)) {
    assert_eq!(text.len(), *length, "the stated length is wrong");
}

fn compare(found: SkillSet<'_>, expected: SkillSet<'_>, input_text: &str) {
    for profile in Profile::ALL {
        let (found, expected) =
            (Toolbox::builder(found).profile(profile), Toolbox::builder(expected).profile(profile));
        let of = if matches!(profile, Profile::DeepAgents | Profile::ClaudeCode) {
            &ENTRIES[..]
        } else {
            &[]
        };
        let (text, plain) = (list(found), list(expected));
        assert_length(&text);
        assert_eq!(tags(&text.0, of), tags(&plain.0, of), "{profile:?}\n{}", text.0);
        if profile != Profile::ClaudeCode {
            // The reference library keeps line feeds, so only tags are compared.
            assert_eq!(lines(&text.0).len(), lines(&plain.0).len(), "{profile:?}\n{}", text.0);
        }
        assert!(profile != Profile::Helix || marks(&text.0) == 0, "{}", text.0);
        let (found, expected) = (
            found.build().unwrap_or_else(|why| panic!("{why}")),
            expected.build().unwrap_or_else(|why| panic!("{why}")),
        );
        for (skill, plain) in found.set().iter().zip(expected.set().iter()) {
            let load = |toolbox: &Toolbox<'_>, name: &str, arguments: &str| {
                let reply =
                    toolbox.answer(Call::LoadSkill { name, arguments: Some(arguments.into()) });
                assert_eq!(reply.event(), Some(Event::SkillLoaded { name }));
                let text = reply.to_string();
                assert_length(&(text.clone(), reply.len()));
                [text, reply.message().map(|message| message.to_string()).unwrap_or_default()]
            };
            let texts = load(&found, skill.name(), input_text);
            for (text, plain) in texts.iter().zip(load(&expected, plain.name(), "x")) {
                assert_eq!(tags(text, &[]), tags(&plain, &[]), "{profile:?}\n{text}");
                let listed = |text: &str| {
                    text.rsplit_once("<skill_resources>\n").map(|(_, list)| lines(list).len())
                };
                assert_eq!(listed(text), listed(&plain), "{profile:?}\n{text}");
            }
            for path in skill.resources().iter().map(Resource::path).chain(["SKILL.md"]) {
                let Ok(file) = found.read_skill_file(skill.name(), path) else { continue };
                for file in [Some(file), file.lines(Some(2), Some(3)).ok()].into_iter().flatten() {
                    let text = file.to_string();
                    assert_length(&(text.clone(), file.len()));
                    assert_eq!(tags(&text, &[]), ["skill_file", "/skill_file"], "{text}");
                }
            }
        }
    }
}

/// Asserts that a call for an unknown skill or for wrong lines gets a one-line reply without tags.
fn refused(toolbox: &Toolbox<'_>, input_text: &str) {
    let skill = toolbox.set().names().next().unwrap_or_default();
    let is_known = toolbox.set().get(input_text).is_some();
    for call in [
        Call::LoadSkill { name: input_text, arguments: None },
        Call::ReadSkillFile { skill, path: input_text, start_line: Some(2), end_line: Some(1) },
        Call::ReadSkillFile { skill: input_text, path: "x", start_line: None, end_line: None },
    ] {
        let reply = toolbox.answer(call);
        let text = reply.to_string();
        assert_length(&(text.clone(), reply.len()));
        assert!(reply.is_error() || is_known, "{text}");
        if reply.is_error() {
            assert_eq!(reply.event(), None);
            assert_eq!((lines(&text).len(), tags(&text, &[])), (1, vec![]), "{text}");
        }
    }
}

/// Asserts that untrusted text is escaped between our tags.
fn assert_neutral(text: &str) {
    let neutral = Neutral(text).to_string();
    assert_eq!(tags(&neutral, &[]), Vec::<String>::new(), "{neutral}");
    assert_eq!(Neutral(text).as_str(), (neutral == text).then_some(text));
    assert_eq!(Neutral(&neutral).as_str(), Some(&*neutral), "escaped twice");
    let line = OneLine(text).to_string();
    assert_eq!((lines(&line).len(), tags(&line, &[])), (1, vec![]), "{line}");
    let attribute = Attribute(text).to_string();
    assert!(lines(&attribute).len() == 1 && !attribute.contains(['"', '<', '>']), "{attribute}");
    assert_length(&(neutral, Neutral(text).len()));
    assert_length(&(line, OneLine(text).len()));
    assert_length(&(attribute, Attribute(text).len()));
}

fn seeds() -> Vec<Vec<u8>> {
    let mut rng = fastrand::Rng::with_seed(11);
    (0..40).map(|_| (0..rng.usize(100..500)).map(|_| rng.u8(..)).collect()).collect()
}
