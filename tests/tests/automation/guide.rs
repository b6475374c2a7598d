//! Checks of the guide: the summary lists every page, links have targets, and the real parsers
//! accept the blocks. The Rust blocks are tests of the package in `docs/`.

use crate::checkout::{root, text};
use expect_test::expect_file;
use helix_skills_format::Lock;
use helix_skills_project::manifest::Manifest;
use helix_skills_tests::{
    markdown::{blocks, blocks_of},
    sandbox::program,
};
use regex::Regex;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::Command,
};

/// Returns the pages, by path relative to `docs/src`, with their text.
fn pages() -> Vec<(String, String)> {
    fn walk(directory: &Path, base: &Path, pages: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, base, pages);
            } else if path.extension() == Some("md".as_ref()) {
                let page = path.strip_prefix(base).unwrap().to_str().unwrap().replace('\\', "/");
                pages.push((page, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    let (base, mut pages) = (root().join("docs/src"), Vec::new());
    walk(&base, &base, &mut pages);
    pages.sort();
    pages
}

/// Returns the link targets of a page outside its code.
fn links(page: &str) -> Vec<String> {
    let text: String = page.split("\n```").step_by(2).collect();
    let link = Regex::new(r"\]\(([^)]+)\)").unwrap();
    link.captures_iter(&text).map(|link| link[1].to_owned()).collect()
}

#[test]
fn summary_lists_every_page_once() {
    let listed = links(&text("docs/src/SUMMARY.md"));
    let pages: BTreeSet<String> =
        pages().into_iter().map(|(page, _)| page).filter(|page| page != "SUMMARY.md").collect();
    assert_eq!(listed.iter().cloned().collect::<BTreeSet<_>>(), pages);
    assert_eq!(listed.len(), pages.len());
}

#[test]
fn links_of_the_guide_have_targets() {
    let pages = pages();
    for (page, text) in &pages {
        for link in links(text).iter().filter(|link| !link.contains("://")) {
            let (path, heading) = link.split_once('#').unwrap_or((link, ""));
            let directory = Path::new(page).parent().unwrap();
            let mut target: Vec<&str> =
                directory.iter().map(|part| part.to_str().unwrap()).collect();
            for part in path.split('/') {
                match part {
                    ".." => drop(
                        target
                            .pop()
                            .unwrap_or_else(|| panic!("{page}: `{link}` points outside the guide")),
                    ),
                    part => target.push(part),
                }
            }
            let target = if path.is_empty() { page.clone() } else { target.join("/") };
            let is_picture = target.ends_with(".svg");
            if is_picture && root().join("docs/src").join(&target).is_file() {
                continue;
            }
            let Some((_, text)) = pages.iter().find(|(page, _)| *page == target) else {
                panic!("{page}: `{link}` has no target")
            };
            let anchor = |line: &str| {
                let words = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
                words
                    .chars()
                    .filter(|c| c.is_alphanumeric() || *c == '-' || *c == '_')
                    .collect::<String>()
            };
            let headings = text.lines().filter(|line| line.starts_with('#')).map(anchor);
            assert!(
                heading.is_empty() || headings.into_iter().any(|known| known == heading),
                "{page}: `{link}`"
            );
        }
    }
}

/// Links to docs.rs work after a release. The snapshots of the public names say what is there.
#[test]
fn links_to_the_api_reference_name_public_items() {
    let link = Regex::new(
        r"https://docs\.rs/([a-z-]+)/latest/([a-z_]+)/((?:[a-z_]+/)*)(?:([a-z]+)\.(\w+)\.html)?",
    );
    let link = link.unwrap();
    let mut read = 0;
    for (page, text) in pages() {
        for found in link.captures_iter(&text) {
            let (crate_name, library) = (&found[1], &found[2]);
            assert_eq!(crate_name.replace('-', "_"), library, "{page}: {}", &found[0]);
            let names = root().join(format!("tests/snapshots/public/{crate_name}.txt"));
            let names = fs::read_to_string(&names).unwrap_or_else(|why| panic!("{page}: {why}"));
            let (module, kind) = (found[3].replace('/', "::"), found.get(4));
            let Some(kind) = kind else { continue };
            let end = if kind.as_str() == "macro" { "!" } else { "" };
            let item = format!("{} {module}{}{end}", kind.as_str(), &found[5]);
            let is_item = |line: &str| line.split(" (").next() == Some(item.as_str());
            assert!(names.lines().any(is_item), "{page}: {crate_name} has no `{item}`");
            read += 1;
        }
    }
    assert!(read >= 40, "{read} links");
}

#[test]
fn pages_with_rust_blocks_are_compiled() {
    let compiled = text("docs/guide.rs");
    for (page, text) in pages() {
        let has_rust = blocks(&text).iter().any(|(language, _)| language.starts_with("rust"));
        assert_eq!(compiled.contains(&format!("\"{page}\"")), has_rust, "{page}");
    }
}

#[test]
fn json_blocks_are_manifests_and_lockfiles() {
    let mut read = 0;
    for (page, text) in pages() {
        for block in blocks_of(&text, "json") {
            let problems = if block.contains("\"request\"") {
                // Every field is checked, as in `skills sync --check`.
                Lock::parse(block).err()
            } else {
                Manifest::parse(block).err()
            };
            assert!(problems.is_none(), "{page}: {problems:?}");
            read += 1;
        }
    }
    assert!(read >= 5, "{read} blocks");
}

#[test]
fn console_blocks_call_commands_and_options_that_exist() {
    let readmes = ["README.md", "cli/README.md"].map(|path| (path.to_owned(), text(path)));
    for (page, text) in pages().into_iter().chain(readmes) {
        for block in blocks_of(&text, "console") {
            for line in block.lines().filter_map(|line| line.strip_prefix("$ ")) {
                let mut words = line.split(' ').skip_while(|word| *word != "skills").skip(1);
                let Some(command) = words.next() else { continue };
                let output = Command::new(program()).args([command, "--help"]).output().unwrap();
                assert!(output.status.success(), "{page}: `{line}`");
                let help = String::from_utf8(output.stdout).unwrap();
                for option in words.filter(|word| word.starts_with("--")) {
                    assert!(help.contains(option), "{page}: `{line}`: {option}");
                }
            }
        }
    }
}

/// The guide is read on GitHub as well, which shows lines that rustdoc hides. Each block is
/// compiled exactly as it is shown.
#[test]
fn rust_blocks_have_no_hidden_and_no_long_lines() {
    let mut pages = pages();
    pages.push(("README.md".to_owned(), text("README.md")));
    let mut read = 0;
    for (page, text) in pages {
        for (language, block) in blocks(&text) {
            if !language.starts_with("rust") {
                continue;
            }
            for line in block.lines() {
                assert!(line != "#" && !line.starts_with("# "), "{page}: hidden: {line}");
                assert!(line.chars().count() <= 86, "{page}: longer than 86: {line}");
            }
            read += 1;
        }
    }
    assert!(read >= 30, "{read} blocks");
}

/// The guide's package does not have rig, so these blocks are built in the workspace of rig.
#[test]
fn ignored_rust_blocks_are_code_of_the_workspace_of_rig() {
    let files = ["examples/rig-agent/src/main.rs", "rig/tests/rig/adapter.rs"].map(text);
    let code = files.iter().flat_map(|file| file.split("// ── from here ").skip(1));
    let code = code.map(|code| {
        let (code, _) = code.split_once("// ── to here ").unwrap();
        code.split_once('\n').unwrap().1
    });
    let pages = pages();
    let ignored: Vec<&str> =
        pages.iter().flat_map(|(_, text)| blocks_of(text, "rust,ignore")).collect();
    assert_eq!(ignored, code.collect::<Vec<_>>());
    assert!(ignored[1].lines().count() <= 40, "the adapter is short");
}

/// The example runs these files against a server of events.
#[test]
fn streaming_page_shows_the_files_of_its_example() {
    let page = text("docs/src/how-to/streaming.md");
    let files = ["events", "anthropic", "openai"].map(|name| {
        let file = text(&format!("examples/streaming-agent/src/{name}.rs"));
        file.split_once("\n\n").unwrap().1.to_owned()
    });
    assert_eq!(blocks_of(&page, "rust").collect::<Vec<_>>(), files);
}

/// The page of all commands is made of the snapshots of their help. After a change,
/// `UPDATE_EXPECT=1 cargo test -p helix-skills-tests --test automation guide` writes it again.
#[test]
fn commands_page_has_the_help_of_every_command() {
    let mut helps = BTreeMap::new();
    for entry in fs::read_dir(root().join("tests/snapshots/help")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if let Some(command) = name.strip_suffix(".txt").filter(|name| !name.ends_with(".short"))
            && command.starts_with("skills")
        {
            helps.insert(command.replace('-', " "), fs::read_to_string(&path).unwrap());
        }
    }
    let mut page = String::from(
        "# Commands\n\nThe output of `skills COMMAND --help`. `skills COMMAND -h` is shorter. Each command also \
         has the\noptions of [`skills`](#skills), which its `--help` repeats.\n",
    );
    for (command, help) in &helps {
        let help = without_global_options(help);
        page += &format!("\n## `{command}`\n\n```text\n{}\n```\n", help.trim_end());
    }
    expect_file![root().join("docs/src/reference/commands.md")].assert_eq(&page);
}

/// Removes the section on global options, which ends at the next text that is not indented.
fn without_global_options(help: &str) -> String {
    let Some((before, section)) = help.split_once("\nGlobal options:\n") else {
        return help.to_owned();
    };
    let is_option = |line: &&str| line.is_empty() || line.starts_with(' ');
    let after: Vec<&str> = section.lines().skip_while(is_option).collect();
    format!("{before}\n{}", after.join("\n"))
}

/// Each limit on the page that is a constant of the code: file, declaration, and the page's text.
const LIMITS: &[(&str, &str, &str)] = &[
    ("runtime/src/define/mod.rs", "MAX_NAME_CHARS: usize = 64;", "| 64 characters |"),
    ("runtime/src/name.rs", "MAX_NAME_BYTES: usize = 200;", "| 200 bytes |"),
    ("runtime/src/path.rs", "MAX_PATH_BYTES: usize = 1024;", "| 1,024 bytes |"),
    ("runtime/src/define/mod.rs", "MAX_DESCRIPTION_CHARS: usize = 1024;", "| 1,024 characters |"),
    ("runtime/src/define/mod.rs", "MAX_COMPATIBILITY_CHARS: usize = 500;", "| 500 characters |"),
    (
        "format/src/skill_md/fences.rs",
        "MAX_FRONTMATTER_BYTES: usize = 64 * 1024;",
        "| 64 KiB, 16 levels deep |",
    ),
    ("format/src/skill_md/loader.rs", "MAX_DEPTH: usize = 16;", "| 64 KiB, 16 levels deep |"),
    ("lint/src/rules/mod.rs", "MAX_LINES: usize = 500;", "| 500 lines (a warning) |"),
    ("format/src/json/mod.rs", "MAX_BYTES: usize = 16 << 20;", "| 16 MiB each |"),
    ("project/src/marketplace/mod.rs", "MAX_BYTES: usize = 8 << 20;", "| 8 MiB, 20,000 plugins |"),
    ("project/src/marketplace/mod.rs", "MAX_PLUGINS: usize = 20_000;", "| 8 MiB, 20,000 plugins |"),
    ("project/src/repository/links.rs", "MAX_HOPS: usize = 40;", "| 40 |"),
    ("git/src/endpoint.rs", "MAX_REDIRECTS: usize = 5;", "| 5 |"),
    ("project/src/error/source_errors.rs", "MAX_PER_CODE: u64 = 50;", "| 50, then their number |"),
    ("runtime/src/read/mod.rs", "MAX_FILE_BYTES: usize = 64 << 10;", "| 64 KiB |"),
    ("runtime/src/template/mod.rs", "MAX_FILLED_BYTES: usize = 16 * 1024 * 1024;", "| 16 MiB |"),
    ("runtime/src/toolbox/found_skills.rs", "MAX_FOUND: usize = 10;", "| 10 |"),
    ("runtime/src/toolbox/found_skills.rs", "MAX_QUERY: usize = 1024;", "| 1,024 bytes |"),
    ("runtime/src/known.rs", "MAX_LISTED: usize = 100;", "| 100 |"),
    ("runtime/src/similar.rs", "MAX_CLOSEST: usize = 5;", "| 5 |"),
    ("runtime/src/catalog/tool_list.rs", "MAX_UNITS: usize = 8000;", "| 8,000 UTF-16 units; "),
    ("runtime/src/__internal.rs", "MAX_TICKS: u32 = 100;", "up to 100"),
    (
        "agent/src/shell/command.rs",
        "TIME_LIMIT: Duration = Duration::from_secs(10);",
        "| 10 seconds, 30,000 bytes of output |",
    ),
    (
        "agent/src/shell/command.rs",
        "OUTPUT_LIMIT: usize = 30_000;",
        "| 10 seconds, 30,000 bytes of output |",
    ),
    (
        "agent/src/shell/context.rs",
        "TOTAL_TIME_LIMIT: Duration = Duration::from_secs(60);",
        "| 60 seconds, 100,000 bytes of output, 100 commands |",
    ),
    (
        "agent/src/shell/context.rs",
        "TOTAL_OUTPUT_LIMIT: usize = 100_000;",
        "| 60 seconds, 100,000 bytes of output, 100 commands |",
    ),
    (
        "agent/src/shell/mod.rs",
        "MAX_COMMANDS: usize = 100;",
        "| 60 seconds, 100,000 bytes of output, 100 commands |",
    ),
    (
        "host/src/scripts/mod.rs",
        "TIME_LIMIT: Duration = Duration::from_secs(30);",
        "| 30 seconds |",
    ),
    ("project/src/repository/discover.rs", "MAX_SKILLS: usize = 10_000;", "| 10,000 |"),
    ("host/src/install/base.rs", "MAX_WAIT: Duration = Duration::from_secs(60);", "| 1 minute |"),
    ("host/src/install/diff.rs", "MAX_BYTES: u64 = 256 << 10;", "| 256 KiB |"),
    ("host/src/install/found.rs", "MAX_FILES: usize = 100_000;", "| 100,000, 64 levels deep |"),
    ("mcp/src/bin/skills-mcp/http.rs", "MAX_REQUEST: usize = 1 << 20;", "| 1 MiB |"),
    (
        "mcp/src/bin/skills-mcp/http.rs",
        "MAX_CONNECTIONS: usize = 256;",
        "| 256; further ones wait |",
    ),
    (
        "mcp/src/bin/skills-mcp/http.rs",
        "MAX_IDLE: Duration = Duration::from_secs(30);",
        "| 30 seconds; ",
    ),
    ("mcp/src/bin/skills-mcp/http.rs", "MAX_WAITING: usize = 64 << 20;", "| 64 MiB; "),
    (
        "mcp/src/bin/skills-mcp/http.rs",
        "MAX_BUFFERED: usize = 64 << 10;",
        "| 64 KiB in each direction |",
    ),
    ("host/src/install/skills_dir.rs", "MAX_RECORD_BYTES: u64 = 64 << 20;", "| 64 MiB |"),
];

#[test]
fn limits_are_those_of_the_code() {
    let page = text("docs/src/reference/limits.md");
    for (file, declaration, limit) in LIMITS {
        assert!(text(file).contains(declaration), "{file} has no `{declaration}`");
        assert!(page.contains(limit), "limits.md has no `{limit}` ({file}: `{declaration}`)");
    }
}

/// A reader's browser runs and loads nothing from other hosts. mdBook does not draw Mermaid.
#[test]
fn book_loads_nothing_from_elsewhere() {
    assert!(!text("docs/book.toml").contains("additional-js"));
    for (path, page) in pages() {
        assert!(!page.contains("```mermaid"), "{path}");
        for image in page.split("![").skip(1).filter_map(|rest| rest.split_once("](")) {
            assert!(!image.1.starts_with("http"), "{path}: {}", image.0);
        }
    }
    for entry in fs::read_dir(root().join("docs/src/images")).unwrap() {
        let path = entry.unwrap().path();
        let image = fs::read_to_string(&path).unwrap();
        let image = image.replace("http://www.w3.org/2000/svg", "");
        for word in ["://", "<script", "@import", "href"] {
            assert!(!image.contains(word), "{}: {word}", path.display());
        }
    }
}
