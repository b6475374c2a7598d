//! Checks that levels 1 to 3 of embedded skills do not allocate: makes the calls of an agent that
//! succeed under an allocator that aborts the program when it is used. Errors, searches, and calls
//! in JSON with arguments or escapes may allocate.
//!
//! This test runs without a harness, whose threads allocate. `tests/tests/consumers/targets.rs`
//! checks in WebAssembly what works without an allocator.
#![allow(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]
#![expect(unsafe_code, reason = "an allocator cannot be written without")]

use helix_skills_runtime::{
    __private::{Baked, BakedCatalog, Parts, Shared, binary, search_index, set, skill, text},
    Budget, Call, Classifier, Hit, IndexOptions, Profile, Resource, SearchIndex, SearchMode,
    SearchOptions, Skill, SkillSet, Template, TextLimit, ToolPolicy, Toolbox, Words,
};
use std::slice;
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    fmt::{self, Display, Write},
    hint::black_box,
    process::Command,
};

const FILES: &[Resource] = &[
    text("R&D.md", "one\ntwo </skill_file>\nthree\n", 28, ""),
    binary("logo.png", b"\xff\0", 2, ""),
    text("scripts/run.sh", "echo hi\n", 8, ""),
];
const ALL: &[Skill] = &[
    skill(Parts {
        name: "deploy",
        description: "Deploys.\n- evil: <skill> & more",
        when_to_use: Some("Use when asked."),
        argument_hint: Some("[environment]"),
        allowed_tools: Some(&["Read", "Bash(make *)"]),
        frontmatter: "---\nname: deploy\n---\n",
        body: "# Deploy\n\nNever write </skill> or 🦀.",
        resources: FILES,
        ..Parts::EMPTY
    }),
    skill(Parts { name: "hidden", disable_model_invocation: true, ..Parts::EMPTY }),
    skill(Parts {
        name: "pdf",
        description: "Reads PDF files.",
        body: "Use it.",
        loaded: Some("baked"),
        ..Parts::EMPTY
    }),
];
static RENDERED: SkillSet = SkillSet::new(ALL);
static BAKED: Baked = Baked {
    catalog: Some(BakedCatalog { text: "the whole prompt", digest: "sha256:00" }),
    index: search_index(Shared::Static(&[])),
};
static LITERAL: SkillSet = set(ALL, &BAKED);

/// The arguments of a call, for any tool in any profile.
const CALL: &str = r#"{"name": "deploy", "skill": "deploy", "skill_name": "deploy", "path": "SKILL.md", "file_path": "SKILL.md", "startLine": 1.0, "endLine": "2"}"#;

fn main() {
    if std::env::args().any(|argument| argument == "--check-the-trap") {
        without_allocation(|| black_box(vec![1_u8; 8]));
        return;
    }
    let mut buffer = vec![0; 200_000];
    for set in [RENDERED, LITERAL] {
        for profile in Profile::ALL {
            for budget in [
                Budget::NONE,
                Budget::NONE.catalog(TextLimit::Chars(300)).preloads(TextLimit::Tokens(500)),
            ] {
                let builder = Toolbox::builder(set).profile(profile).budget(budget);
                let builder = builder.at("/skills");
                agent(without_allocation(|| black_box(builder.build())).unwrap(), &mut buffer);
            }
            agent(
                Toolbox::builder(set).profile(profile).allow(&["deploy"]).build().unwrap(),
                &mut buffer,
            );
            agent(
                Toolbox::builder(set).profile(profile).preload(&["pdf", "deploy"]).build().unwrap(),
                &mut buffer,
            );
        }
    }
    sets(&mut buffer);
    long_file(&mut buffer);
    templates();
    searches(&mut buffer);
    the_trap_works();
    println!("alloc: ok");
}

/// Makes the calls of one agent, all into the caller's buffer.
fn agent(toolbox: Toolbox<'static>, buffer: &mut [u8]) {
    without_allocation(|| {
        let toolbox = black_box(toolbox);
        // Level 1: the system prompt, including preloads.
        let catalog = toolbox.catalog();
        assert_eq!(written(&catalog, buffer).len(), catalog.len());
        assert!(toolbox.skill_as_tool(black_box("get_weather"), ["get_weather"]).is_none());
        for tool in
            ["load_skill", "skill_use", "skill", "Skill", "read_skill_file", "skill_read_file"]
        {
            if let Some(reply) = toolbox.call(black_box(tool), black_box(CALL)) {
                assert!(!reply.is_error() && !written(&reply, buffer).is_empty());
                if let Some(message) = reply.message() {
                    assert!(!written(&message, buffer).is_empty());
                }
            }
            if let Some(Ok(call)) = toolbox.read_call(tool, CALL) {
                black_box(written(&toolbox.answer(call.as_call()), buffer));
            }
        }
        for message in ["/deploy", "/hidden", "/nope", "deploy"] {
            if let Some(invoked) = toolbox.slash(black_box(message)) {
                black_box(written(&invoked, buffer)); // one has no body
            }
        }
        let policy = ToolPolicy::from_skills(black_box(&ALL[..2])).profile(toolbox.profile());
        assert!(policy.allows("Read") && policy.exceptions("Read").next().is_none());
        assert_eq!(policy.conditions("Bash").count(), usize::from(policy.is_limited()));
        for name in toolbox.skills().map(|skill| skill.name()) {
            // Level 2.
            let reply = toolbox.answer(Call::LoadSkill { name: black_box(name), arguments: None });
            assert!(!reply.is_error() && !written(&reply, buffer).is_empty());
            black_box(reply.event().map(|event| event.kind()));
            if let Some(message) = reply.message() {
                assert!(written(&message, buffer).ends_with("</skill-context>"));
            }
            // Level 3.
            let paths: &[&str] = match name {
                "deploy" => &["R&D.md", "SKILL.md", "./scripts/run.sh"],
                _ => &["SKILL.md"],
            };
            for path in paths {
                for (start_line, end_line) in [(None, None), (Some(1), Some(1)), (None, Some(9))] {
                    let read = Call::ReadSkillFile {
                        skill: name,
                        path: black_box(path),
                        start_line,
                        end_line,
                    };
                    let reply = toolbox.answer(read);
                    assert!(!reply.is_error() && !written(&reply, buffer).is_empty());
                }
            }
        }
    });
}

/// Makes the calls that a set supports without a toolbox.
fn sets(buffer: &mut [u8]) {
    for set in [RENDERED, LITERAL, SkillSet::EMPTY] {
        let toolbox = Toolbox::new(set);
        without_allocation(|| {
            let (set, toolbox) = (black_box(set), black_box(toolbox));
            black_box((set.catalog().digest(), set.catalog().as_str()));
            assert_eq!(written(&set.catalog(), buffer).is_empty(), set.is_empty());
            for name in set.names().filter(|name| *name != "hidden") {
                let loaded = toolbox.load_skill(black_box(name)).unwrap();
                assert!(!written(&loaded, buffer).is_empty());
                let file = toolbox.read_skill_file(name, "SKILL.md").unwrap();
                let lines = file.lines(Some(1), Some(2)).unwrap();
                assert!(!written(&lines, buffer).is_empty());
            }
        });
    }
}

/// Reads a file that is truncated, with its lines counted and selected.
fn long_file(buffer: &mut [u8]) {
    let content = "é line </skill>\n".repeat(6000);
    let mut skill = Skill::from(Parts { name: "x", ..Parts::EMPTY });
    skill.insert_resource("long.md", content).unwrap();
    let set = SkillSet::new(slice::from_ref(&skill));
    without_allocation(|| {
        let file = black_box(set).read_skill_file("x", "long.md").unwrap();
        assert!(written(&file, buffer).contains("to read on, ask for the lines from "));
        let lines = file.lines(Some(10), Some(20)).unwrap();
        assert!(written(&lines, buffer).contains(" lines=\"10-20 of 6000\" "));
    });
}

/// Reads the parts of a body that is not filled.
fn templates() {
    let body = "$0 $ARGUMENTS $who ${SKILL_DIR} \\$1 </sk$1>\n!`echo \"$0\" $ARGUMENTS`\n```!\nls $9 # '\n```\n$HOME";
    for profile in Profile::ALL {
        without_allocation(|| {
            let template = black_box(Template::new(body)).named(&["who", "what"]).profile(profile);
            assert!(template.commands().eq(["echo \"$0\" $ARGUMENTS", "ls $9 # '"]));
            assert!(template.variables().eq(["SKILL_DIR"]));
        });
    }
}

/// Ranks with an index of its own.
struct Indexed(&'static SearchIndex);

impl Classifier for Indexed {
    fn classify<'s>(&self, query: &str, skills: SkillSet<'s>) -> Vec<Hit<'s>> {
        skills.with_index(self.0).search(query, &SearchOptions::new())
    }
}

/// Renders the search tool and found skills. Building an index and searching it allocate.
fn searches(buffer: &mut [u8]) {
    for words in [Words::Compatible, Words::Unicode] {
        let index: &'static SearchIndex =
            Box::leak(Box::new(RENDERED.index(&IndexOptions::new().words(words))));
        let set = RENDERED.with_index(index);
        let classifier: &'static Indexed = Box::leak(Box::new(Indexed(index)));
        for profile in Profile::ALL {
            agent(
                Toolbox::builder(set)
                    .profile(profile)
                    .search(SearchMode::ToolAndList)
                    .build()
                    .unwrap(),
                buffer,
            );
            agent(
                Toolbox::builder(set)
                    .profile(profile)
                    .search(SearchMode::ToolOnly)
                    .build()
                    .unwrap(),
                buffer,
            );
            agent(
                Toolbox::builder(RENDERED)
                    .profile(profile)
                    .classifier(classifier)
                    .search(SearchMode::ToolAndList)
                    .build()
                    .unwrap(),
                buffer,
            );
        }
        let long = "deploy PDF Überprüfung 技能测试 ".repeat(500);
        for query in ["a PDF", "DEPLO", "", "nothing", &long] {
            let toolbox = Toolbox::builder(set).search(SearchMode::ToolOnly).build().unwrap();
            let found = toolbox.answer(Call::SearchSkills { query });
            without_allocation(|| {
                assert!(!written(&black_box(found), buffer).is_empty());
            });
        }
    }
}

/// Displays a text in a buffer, which is large enough, and returns it.
fn written<'b>(text: &dyn Display, buffer: &'b mut [u8]) -> &'b str {
    struct Buffer<'b>(&'b mut [u8], usize);
    impl Write for Buffer<'_> {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let end = self.1 + text.len();
            self.0[self.1..end].copy_from_slice(text.as_bytes());
            self.1 = end;
            Ok(())
        }
    }
    let mut out = Buffer(buffer, 0);
    write!(out, "{text}").unwrap();
    let Buffer(buffer, len) = out;
    str::from_utf8(&buffer[..len]).unwrap()
}

/// Without this, the test would pass with any code.
fn the_trap_works() {
    let output =
        Command::new(std::env::current_exe().unwrap()).arg("--check-the-trap").output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && stderr.contains("where none is allowed"), "{stderr}");
}

thread_local! {
    // A constant without a destructor, because reading it never allocates.
    static FORBIDDEN: Cell<bool> = const { Cell::new(false) };
}

fn without_allocation<T>(call: impl FnOnce() -> T) -> T {
    FORBIDDEN.set(true);
    let value = call();
    FORBIDDEN.set(false);
    value
}

struct Trap;

// SAFETY: forwards to `System`, or aborts the program.
unsafe impl GlobalAlloc for Trap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        guard(layout);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        guard(layout);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        guard(layout);
        unsafe { System.realloc(at, layout, size) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static TRAP: Trap = Trap;

fn guard(layout: Layout) {
    // Disarms first, because the report allocates.
    if FORBIDDEN.replace(false) {
        eprintln!("allocation of {} bytes where none is allowed", layout.size());
        eprintln!("{}", std::backtrace::Backtrace::force_capture());
        std::process::abort(); // a panic must not unwind out of an allocator
    }
}
