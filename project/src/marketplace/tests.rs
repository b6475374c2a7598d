use super::*;

fn name(text: &str) -> PluginName {
    PluginName::new(text).unwrap()
}

fn root() -> DirPath {
    DirPath::root()
}

fn dir(text: &str) -> DirPath {
    DirPath::new(text).unwrap()
}

/// Returns the plugin `p` of a marketplace with this `pluginRoot`. `entry` has the other keys of
/// its entry.
fn entry(entry: &str, plugin_root: Option<&str>) -> Result<Plugin, PluginError> {
    let metadata = plugin_root
        .map_or(String::new(), |root| format!("\"metadata\": {{\"pluginRoot\": \"{root}\"}}, "));
    let text = format!("{{{metadata}\"plugins\": [\n{{\"name\": \"p\"{entry}}}]}}");
    Marketplace::parse(&text).unwrap().plugin(&name("p"))
}

fn source(source: &str) -> Result<Plugin, PluginError> {
    entry(&format!(", \"source\": {source}"), None)
}

#[track_caller]
fn is_broken(plugin: Result<Plugin, PluginError>, code: Code, at: &str) -> Finding {
    let findings = plugin.expect_err("the entry is broken").findings;
    assert_eq!(
        (findings[0].code, findings[0].at.unwrap().to_string().as_str()),
        (code, at),
        "{findings:?}"
    );
    findings[0].clone()
}

#[test]
fn paths_are_relative_to_the_marketplace() {
    for (written, plugin_root, path, otherwise) in [
        ("./", None, ".", None),
        (".", None, ".", None),
        ("./p", None, "p", None),
        ("./.github/p/", None, ".github/p", None),
        ("./p", Some("./plugins"), "p", Some("plugins/p")),
        ("./p", Some("plugins"), "p", Some("plugins/p")),
        ("./", Some("./plugins"), ".", None),
        ("./p", Some("./"), "p", None),
        ("./p", Some("../x"), "p", None),
        ("p", Some("./plugins"), "plugins/p", None),
        ("p", Some("./"), "p", None),
    ] {
        let plugin = entry(&format!(", \"source\": \"{written}\""), plugin_root);
        let expected = PluginSource::Relative { path: dir(path), otherwise: otherwise.map(dir) };
        assert_eq!(plugin.map(|p| p.source), Ok(expected), "{written} {plugin_root:?}");
    }
}

#[test]
fn bad_paths_are_refused() {
    for (written, plugin_root, code) in [
        ("", None, Code::BadPath),
        ("p", None, Code::BadPath),
        ("p", Some("../x"), Code::BadPath),
        ("..", Some("./plugins"), Code::BadPath),
        ("./../p", None, Code::BadPath),
        ("./p/../../q", None, Code::BadPath),
        ("../p", None, Code::BadPath),
        ("/etc", None, Code::BadPath),
        ("./p//q", None, Code::BadPath),
        (r".\\p", None, Code::BadPath),
        (r"p\\q", Some("./plugins"), Code::BadPath),
        (r"./p\u0000", None, Code::BadPath),
        (r"p\u001b[31m", Some("./plugins"), Code::BadPath),
        ("https://example.com/p", None, Code::BadValue),
        ("git@example.com:p", None, Code::BadValue),
    ] {
        let plugin = entry(&format!(", \"source\": \"{written}\""), plugin_root);
        let finding = is_broken(plugin, code, "2:25");
        assert!(
            finding.hint.is_some() && !finding.message.contains(char::is_control),
            "{finding:?}"
        );
    }
}

#[test]
fn repositories_of_every_type_are_parsed() {
    const SHA: &str = "f5d81cb5a7b1d15cdc08c15bafbc7e3c91123a74";
    for (written, url, path, reference, sha) in [
        (r#""source": "github", "repo": "o/r""#, "https://github.com/o/r.git", ".", None, false),
        (
            r#""source": "github", "repo": "o/r.git", "ref": "v1""#,
            "https://github.com/o/r.git",
            ".",
            Some("v1"),
            false,
        ),
        (
            r#""source": "github", "repo": "o/.github", "sha": SHA"#,
            "https://github.com/o/.github.git",
            ".",
            None,
            true,
        ),
        (r#""source": "url", "url": "https://x.dev/r""#, "https://x.dev/r", ".", None, false),
        (
            r#""source": "url", "url": "git@x.dev:r.git", "sha": SHA"#,
            "git@x.dev:r.git",
            ".",
            None,
            true,
        ),
        (
            r#""source": "url", "url": "https://x.dev/r", "path": "a/b""#,
            "https://x.dev/r",
            "a/b",
            None,
            false,
        ),
        (
            r#""source": "git-subdir", "url": "o/r", "path": ".github/p", "ref": "main", "sha": SHA"#,
            "https://github.com/o/r.git",
            ".github/p",
            Some("main"),
            true,
        ),
        (
            r#""source": "git-subdir", "url": "ssh://git@x.dev/r", "path": "./p""#,
            "ssh://git@x.dev/r",
            "p",
            None,
            false,
        ),
        (
            r#""source": "url", "url": "http://127.0.0.1/m", "mirror": 1"#,
            "http://127.0.0.1/m",
            ".",
            None,
            false,
        ),
    ] {
        let text = format!("{{\"plugins\": [{{\"name\": \"p\", \"source\": {{{written}}}}}]}}");
        let text = text.replace("SHA", &format!("\"{SHA}\""));
        let own = GitUrl::parse("http://127.0.0.1/m").unwrap();
        let plugin = Marketplace::parse(&text).unwrap().at(&own).plugin(&name("p"));
        let expected = PluginSource::Git {
            url: GitUrl::parse(url).unwrap(),
            path: dir(path),
            reference: reference.map(|text| helix_skills_format::RefName::new(text).unwrap()),
            sha: sha.then(|| SHA.parse().unwrap()),
        };
        assert_eq!(plugin.map(|p| p.source), Ok(expected), "{written}");
    }
}

#[test]
fn bad_repositories_are_refused() {
    for (written, code, column) in [
        (r#"{"source": "github"}"#, Code::MissingKey, 25),
        (r#"{"source": "github", "repo": "o"}"#, Code::BadUrl, 54),
        (r#"{"source": "github", "repo": "-o/r"}"#, Code::BadUrl, 54),
        (r#"{"source": "github", "repo": "o/r/x"}"#, Code::BadUrl, 54),
        (r#"{"source": "github", "repo": "../r"}"#, Code::BadUrl, 54),
        (r#"{"source": "github", "repo": "o/.git"}"#, Code::BadUrl, 54),
        (r#"{"source": "url"}"#, Code::MissingKey, 25),
        (r#"{"source": "url", "url": "o/r"}"#, Code::BadUrl, 50),
        (r#"{"source": "url", "url": "./r"}"#, Code::BadUrl, 50),
        (r#"{"source": "url", "url": "file:///r"}"#, Code::BadUrl, 50),
        (r#"{"source": "url", "url": "http://x.dev/r"}"#, Code::BadUrl, 50),
        (r#"{"source": "url", "url": "http://127.0.0.1/m"}"#, Code::BadUrl, 50),
        (r#"{"source": "url", "url": "ext::sh -c id"}"#, Code::BadUrl, 50),
        (r#"{"source": "url", "url": "--upload-pack=x"}"#, Code::BadUrl, 50),
        (r#"{"source": "url", "url": "https://u:hunter2@x.dev/r"}"#, Code::BadUrl, 50),
        (r#"{"source": "url", "url": "https://x.dev/r", "path": "../p"}"#, Code::BadPath, 77),
        (r#"{"source": "url", "url": "https://x.dev/r", "path": "/p"}"#, Code::BadPath, 77),
        (r#"{"source": "url", "url": "https://x.dev/r", "ref": "-x"}"#, Code::BadValue, 76),
        (r#"{"source": "url", "url": "https://x.dev/r", "sha": "abc"}"#, Code::BadValue, 76),
        (r#"{"source": "git-subdir", "url": "o/r"}"#, Code::MissingKey, 25),
        (r#"{"source": "git-subdir", "path": "p"}"#, Code::MissingKey, 25),
        (r#"{"source": "npm", "package": "p"}"#, Code::RefusedSource, 36),
        (r#"{"source": "pip", "package": "p"}"#, Code::RefusedSource, 36),
        (r#"{"source": "archive", "url": "https://x.dev/p.zip"}"#, Code::RefusedSource, 36),
        (r#"{"source": "command", "command": "id"}"#, Code::RefusedSource, 36),
        (r#"{"source": "gihtub", "repo": "o/r"}"#, Code::BadValue, 36),
        (r#"{"source": 1}"#, Code::WrongType, 36),
        (
            r#"{"source": "url", "url": "https://x.dev/r", "url": "https://y.dev/r"}"#,
            Code::DuplicateKey,
            69,
        ),
        ("{}", Code::MissingKey, 25),
        ("[]", Code::WrongType, 25),
        ("null", Code::WrongType, 25),
    ] {
        let finding = is_broken(source(written), code, &format!("2:{column}"));
        assert!(!finding.message.contains("hunter2"), "{finding:?}");
    }
    let refused = is_broken(source(r#"{"source": "npm"}"#), Code::RefusedSource, "2:36");
    assert!(refused.hint.unwrap().contains("`path`"));
    let unknown = is_broken(source(r#"{"source": "gihtub"}"#), Code::BadValue, "2:36");
    assert!(unknown.hint.unwrap().starts_with("did you mean `github`?"));
    is_broken(entry("", None), Code::MissingKey, "2:1");
}

#[test]
fn entries_list_skills_and_other_components() {
    let plugin = entry(
        r#", "source": "./", "strict": false, "version": "1.0", "skills": "./a", "hooks": {"x": 1}, "agents": [], "tags": ["t"]"#,
        None,
    );
    let plugin = plugin.unwrap();
    assert_eq!((plugin.strict, plugin.declared.version.as_deref()), (false, Some("1.0")));
    assert_eq!(plugin.declared.skills, Some(vec![dir("a")]));
    assert_eq!(plugin.declared.components.into_iter().collect::<Vec<_>>(), ["hooks"]);
    let plugin =
        entry(r#", "source": "./", "skills": [".", "./", "./skills/", "./a/b", "c/d"]"#, None)
            .unwrap();
    let listed = vec![root(), root(), dir("skills"), dir("a/b"), dir("c/d")];
    assert_eq!(plugin.declared.skills, Some(listed));
    assert!(plugin.strict);
    for (skills, code, column) in [
        (r#"["./a", "../b"]"#, Code::BadPath, 49),
        (r#"["./a", "./b/../../c"]"#, Code::BadPath, 49),
        (r#"["/a"]"#, Code::BadPath, 42),
        (r#"[".\\a"]"#, Code::BadPath, 42),
        (r#"["./a\nb"]"#, Code::BadPath, 42),
        (r#"[1]"#, Code::WrongType, 42),
        (r#"{"a": "./a"}"#, Code::WrongType, 41),
    ] {
        let plugin = entry(&format!(", \"source\": \"./\", \"skills\": {skills}"), None);
        is_broken(plugin, code, &format!("2:{column}"));
    }
    is_broken(entry(r#", "source": "./", "strict": "no""#, None), Code::WrongType, "2:41");
    is_broken(entry(r#", "source": "./", "version": "1\n2""#, None), Code::BadValue, "2:42");
}

#[test]
fn former_names_resolve_to_current_names() {
    let mut renames: Vec<String> = (0..40).map(|n| format!("\"n{n}\": \"n{}\"", n + 1)).collect();
    renames.extend(
        [
            r#""a": "b""#,
            r#""b": "present""#,
            r#""gone": null"#,
            r#""went": "gone""#,
            r#""x": "y""#,
            r#""y": "z""#,
            r#""z": "y""#,
            r#""self": "self""#,
            r#""lost": "nowhere""#,
            r#""present": "other""#,
            r#""bad/one": "present""#,
            r#""bad-two": 1"#,
        ]
        .map(str::to_owned),
    );
    let text = format!(
        r#"{{"renames": {{{}}}, "plugins": [{{"name": "present", "source": "./"}}, {{"name": "n40", "source": "./"}}]}}"#,
        renames.join(", ")
    );
    let marketplace = Marketplace::parse(&text).unwrap();
    let codes: Vec<_> = marketplace.findings().iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::BadValue, Code::WrongType]);
    let ask = |asked: &str| match marketplace.plugin(&name(asked)) {
        Ok(plugin) => plugin.name.to_string(),
        Err(why) => why.to_string(),
    };
    assert_eq!(ask("a"), "present");
    assert_eq!(ask("b"), "present");
    // The name of a listed plugin is not renamed.
    assert_eq!(ask("present"), "present");
    assert_eq!(ask("n8"), "n40");
    assert_eq!(ask("n7"), "the marketplace has renamed the plugin `n7` more than 32 times");
    assert_eq!(ask("gone"), "the marketplace has removed the plugin `gone`");
    assert_eq!(ask("went"), "the marketplace has removed the plugin `went`, now `gone`");
    assert_eq!(
        ask("x"),
        "the marketplace renames plugins in a circle: `x`, now `y`, now `z`, now `y`"
    );
    assert_eq!(ask("self"), "the marketplace renames plugins in a circle: `self`, now `self`");
    assert_eq!(ask("lost"), "the marketplace has no plugin `lost`, now `nowhere`");
    assert_eq!(ask("bad-two"), "the marketplace has no plugin `bad-two`");
}

#[test]
fn unknown_plugin_hint_names_the_closest() {
    let names =
        ["wordpress", "formatter", "deploy", "docs-tools", "doc-tool", "a", "b", "c", "d", "e"];
    let entries =
        names.map(|name| format!("{{\"name\": \"{name}\", \"source\": \"./\"}}")).join(", ");
    let marketplace = Marketplace::parse(&format!("{{\"plugins\": [{entries}]}}")).unwrap();
    let why = marketplace.plugin(&name("Doc-Tools")).unwrap_err();
    assert_eq!(why.hint, "did you mean `doc-tool` or `docs-tools`?");
    for (asked, expected) in [
        ("tools-docs", "did you mean `docs-tools` or `doc-tool`?"),
        ("press", "did you mean `wordpress`?"),
        ("fromatter", "did you mean `formatter`?"),
        ("zzz", "none of its 10 plugins has a similar name; `skills add … --list` lists them"),
    ] {
        let why = marketplace.plugin(&name(asked)).unwrap_err();
        assert_eq!(why.hint, expected, "{asked}");
    }
    let none = Marketplace::parse(r#"{"plugins": []}"#).unwrap().plugin(&name("a")).unwrap_err();
    assert_eq!(none.hint, "the marketplace lists no plugins");
}

#[test]
fn bad_entries_do_not_affect_others() {
    let text = "\u{feff}{\"future\": {\"a\": 1}, \"plugins\": [
        {\"name\": \"good\", \"source\": \"./good\", \"future\": []},
        {\"name\": \"twice\", \"source\": \"./a\"},
        {\"name\": \"twice\", \"source\": \"./b\"},
        {\"name\": \"split\", \"name\": \"other\", \"source\": \"./a\"},
        {\"name\": \"../up\", \"source\": \"./a\"},
        {\"source\": \"./a\"},
        \"text\",
        {\"name\": \"bad\", \"source\": 1, \"strict\": 1}
    ]}";
    let marketplace = Marketplace::parse(text).unwrap();
    let names: Vec<_> = marketplace.names().map(|name| name.as_str()).collect();
    assert_eq!(names, ["bad", "good", "split", "twice"]);
    let findings: Vec<_> =
        marketplace.findings().iter().map(|f| (f.code, f.at.unwrap().line)).collect();
    let expected =
        [(Code::DuplicateKey, 4), (Code::BadValue, 6), (Code::MissingKey, 7), (Code::WrongType, 8)];
    assert_eq!(findings, expected);
    assert!(marketplace.plugin(&name("good")).is_ok());
    let twice = marketplace.plugin(&name("twice")).unwrap_err();
    assert_eq!(
        twice.to_string(),
        "the marketplace lists the plugin `twice` 2 times: at 3:9, at 4:9"
    );
    is_broken(marketplace.plugin(&name("split")), Code::DuplicateKey, "5:27");
    let findings = marketplace.plugin(&name("bad")).unwrap_err().findings;
    assert_eq!(findings.len(), 2, "{findings:?}");
}

#[test]
fn invalid_marketplaces_are_refused() {
    let plugin = r#"{"name": "p", "source": "./"}"#;
    for (text, code) in [
        (String::new(), Code::Syntax),
        ("[]".to_owned(), Code::WrongType),
        ("{}".to_owned(), Code::MissingKey),
        (r#"{"plugins": {}}"#.to_owned(), Code::WrongType),
        (format!("{{\"plugins\": [{plugin},]}}"), Code::Syntax),
        (format!("{{\"plugins\": [{plugin}] /* x */}}"), Code::Syntax),
        (format!("{{\"plugins\": [{plugin}], \"plugins\": []}}"), Code::DuplicateKey),
        (format!("{{\"plugins\": [{plugin}]\n<<<<<<< ours\n}}"), Code::ConflictMarkers),
        ("[".repeat(1 << 20), Code::Syntax),
        (format!("{{\"plugins\": [{}]}}", "1,".repeat(20_000) + "1"), Code::TooLarge),
        (format!("{{\"plugins\": []}}{}", " ".repeat(8 << 20)), Code::TooLarge),
    ] {
        let findings =
            Marketplace::parse(&text).err().unwrap_or_else(|| panic!("taken: {text:.60}"));
        assert_eq!(findings[0].code, code, "{text:.60}: {findings:?}");
    }
    // The numbers of findings and of suggested names are limited.
    let worst = format!("{{\"plugins\": [{}]}}", vec!["1"; 20_000].join(","));
    assert_eq!(Marketplace::parse(&worst).unwrap().findings().len(), 100);
    let long = "é".repeat(124);
    let entry = |n: usize| format!("{{\"name\": \"{n:04}{long}\", \"source\": \"./\"}}");
    let many =
        format!("{{\"plugins\": [{}]}}", (0..1_000).map(entry).collect::<Vec<_>>().join(","));
    let why = Marketplace::parse(&many).unwrap().plugin(&name(&format!("{long}0000"))).unwrap_err();
    assert!(why.hint.len() < 4_000);
}

#[test]
fn truncated_and_edited_texts_do_not_panic() {
    let text = r#"{"name": "m", "metadata": {"pluginRoot": "./é"}, "renames": {"a": "b", "b": null}, "plugins": [
        {"name": "p", "source": {"source": "git-subdir", "url": "o/r", "path": "x", "sha": "f5d81cb5a7b1d15cdc08c15bafbc7e3c91123a74"}},
        {"name": "q", "source": "é\ud83d\ude00", "strict": false, "skills": ["./a", "./\u00e9"], "hooks": {"a": [1e9, null]}}
    ]}"#;
    let mut taken = 0;
    let mut read = |text: &str| {
        if let Ok(marketplace) = Marketplace::parse(text) {
            for name in marketplace.names() {
                let plugin = marketplace.plugin(name);
                taken += usize::from(plugin.is_ok());
                assert!(plugin.is_ok() || !plugin.unwrap_err().to_string().is_empty());
            }
        }
    };
    read(text);
    for (at, c) in text.char_indices() {
        read(&text[..at]);
        for other in ["", "\"", "\\", "{", "]", ",", "\u{0}", "\u{202e}", "/", "..", "-"] {
            read(&format!("{}{other}{}", &text[..at], &text[at + c.len_utf8()..]));
        }
    }
    assert!(taken > 1_000, "{taken}");
}

fn manifest(fields: &str) -> Declared {
    Declared::parse(&format!("{{\"name\": \"p\"{fields}}}")).unwrap()
}

#[test]
fn plugin_manifests_are_parsed() {
    let read = Declared::parse(
        "\u{feff}{\"name\": \"p\", \"version\": \"2\", \"skills\": [\"./x\"], \"mcpServers\": \"./m.json\", \"lspServers\": {}, \"homepage\": \"h\"}",
    )
    .unwrap();
    assert_eq!(read.version.as_deref(), Some("2"));
    assert_eq!(read.skills, Some(vec![dir("x")]));
    assert_eq!(read.components.into_iter().collect::<Vec<_>>(), ["mcpServers"]);
    for (text, code, at) in [
        ("{}", Code::MissingKey, "1:1"),
        (r#"{"name": 1}"#, Code::WrongType, "1:10"),
        (r#"{"name": "p", "skills": ["./../x"]}"#, Code::BadPath, "1:26"),
        (r#"{"name": "p", "version": 1}"#, Code::WrongType, "1:26"),
        ("{\"name\": \"p\", // x\n}", Code::Syntax, "1:15"),
    ] {
        let findings = Declared::parse(text).unwrap_err();
        assert_eq!(
            (findings[0].code, findings[0].at.unwrap().to_string().as_str()),
            (code, at),
            "{findings:?}"
        );
    }
}

#[test]
fn plans_follow_the_documentation() {
    // entry, manifest, at the marketplace's root; replaces the default, listed, may be one skill,
    // version, ignored
    for (fields, own, at_root, replaces, listed, one, version, ignored) in [
        ("", None, false, false, "", true, None, ""),
        ("", None, true, false, "", true, None, ""),
        (r#", "version": "1""#, Some(r#", "version": "2""#), false, false, "", true, Some("2"), ""),
        (r#", "version": "1", "strict": false"#, Some(""), false, false, "", true, Some("1"), ""),
        (r#", "skills": "./a""#, None, false, false, "a!m", false, None, ""),
        (r#", "skills": "./a""#, None, true, true, "a!m", false, None, ""),
        (r#", "skills": "./a", "strict": false"#, None, true, true, "a!m", false, None, ""),
        (r#", "skills": "./a", "strict": false"#, None, false, false, "a!m", false, None, ""),
        (r#", "skills": ["./a", "./skills/"]"#, None, true, false, "a!m skills?m", false, None, ""),
        (r#", "skills": ["./a", "."]"#, None, true, false, "a!m .?m", false, None, ""),
        (r#", "skills": []"#, None, true, false, "", false, None, ""),
        ("", Some(r#", "skills": ["./b"]"#), false, false, "b!p", false, None, ""),
        ("", Some(r#", "skills": ["./b"]"#), true, true, "b!p", false, None, ""),
        (
            r#", "skills": "./a""#,
            Some(r#", "skills": ["./b", "./a"]"#),
            false,
            false,
            "a!m b!p",
            false,
            None,
            "",
        ),
        (
            r#", "skills": "./a""#,
            Some(r#", "skills": "./skills""#),
            true,
            false,
            "a!m skills?p",
            false,
            None,
            "",
        ),
        (
            r#", "hooks": "./h.json""#,
            Some(r#", "agents": "./a""#),
            false,
            false,
            "",
            true,
            None,
            "agents hooks",
        ),
        (
            r#", "strict": false, "hooks": "./h.json""#,
            Some(""),
            false,
            false,
            "",
            true,
            None,
            "hooks",
        ),
        (
            r#", "strict": false"#,
            Some(r#", "skills": [], "commands": []"#),
            false,
            false,
            "",
            false,
            None,
            "",
        ),
    ] {
        let plugin = entry(&format!(", \"source\": \"./\"{fields}"), None).unwrap();
        let plan = SkillPlan::new(&plugin, own.map(manifest).as_ref(), at_root).unwrap();
        let by = |by: &str| by.chars().next().unwrap();
        let required = |is_required| if is_required { '!' } else { '?' };
        let paths = plan
            .listed
            .iter()
            .map(|l| format!("{}{}{}", l.path, required(l.is_required), by(l.by)));
        assert_eq!(paths.collect::<Vec<_>>().join(" "), listed, "{fields} {own:?}");
        let found = (plan.replaces_default, plan.may_be_one_skill, plan.version.as_deref());
        assert_eq!(found, (replaces, one, version), "{fields} {own:?} {at_root}");
        assert_eq!(
            plan.ignored.into_iter().collect::<Vec<_>>().join(" "),
            ignored,
            "{fields} {own:?}"
        );
    }
}

#[test]
fn strict_false_forbids_skills_in_the_manifest() {
    let strict = entry(r#", "source": "./", "strict": false"#, None).unwrap();
    let own = manifest(r#", "skills": "./s", "mcpServers": {"a": {}}"#);
    let conflict = SkillPlan::new(&strict, Some(&own), false).unwrap_err();
    assert!(conflict.to_string().contains("`skills`"), "{conflict}");
    let plugin = entry(r#", "source": "./""#, None).unwrap();
    assert!(SkillPlan::new(&plugin, Some(&own), false).is_ok());
    // Other components are not used.
    let own = manifest(r#", "hooks": "./h.json", "mcpServers": {"a": {}}"#);
    assert!(SkillPlan::new(&strict, Some(&own), false).is_ok());
}

#[test]
fn local_sources_of_other_indexes_are_paths() {
    let plugin = entry(r#", "source": {"source": "local", "path": "./plugins/p"}"#, None).unwrap();
    assert_eq!(plugin.source, PluginSource::Relative { path: dir("plugins/p"), otherwise: None });
}

#[test]
fn number_of_listed_directories_is_limited() {
    let listing = |count: usize| {
        let paths: Vec<String> = (0..count).map(|at| format!("\"./s{at}\"")).collect();
        format!("\"skills\": [{}]", paths.join(","))
    };
    let entry = |count| entry(&format!(", \"source\": \"./x\", {}", listing(count)), None);
    assert_eq!(entry(1_000).unwrap().declared.skills.unwrap().len(), 1_000);
    let why = entry(1_001).unwrap_err();
    let codes: Vec<_> = why.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, [Code::TooLarge]);
    let own = format!("{{\"name\": \"p\", {}}}", listing(1_001));
    let findings = Declared::parse(&own).unwrap_err();
    assert!(
        findings[0].message.contains("1001 directories") && findings[0].hint.is_some(),
        "{findings:?}"
    );
}
