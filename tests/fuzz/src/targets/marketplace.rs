//! Marketplaces: the index, a plugin's own manifest after a NUL byte, and the resulting plan.

use crate::{Target, checks};
use helix_skills_format::{__internal::UrlKind, DirPath, GitUrl};
use helix_skills_project::__internal::marketplace::{
    Declared, Marketplace, PluginName, PluginSource, SkillPlan,
};
use std::collections::BTreeSet;

pub(crate) const TARGET: Target = Target {
    name: "marketplace",
    body,
    seeds,
    words: &[
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\0",
        "\u{feff}",
        "\"plugins\": [",
        "\"name\": \"docs\"",
        "\"name\": ",
        "\"source\": ",
        "\"./p\"",
        "\"./\"",
        "\"..\"",
        "\"/\"",
        "\"p\"",
        "{\"source\": \"github\", \"repo\": \"a/b\"}",
        "{\"source\": \"url\", \"url\": \"https://example.com/r.git\"}",
        "{\"source\": \"git-subdir\", \"url\": \"a/b\", \"path\": \"p\"}",
        "\"ref\": \"main\"",
        "\"sha\": \"f5d81cb5a7b1d15cdc08c15bafbc7e3c91123a74\"",
        "\"strict\": false",
        "\"version\": \"1\"",
        "\"skills\": [\"./a\", \"./skills\"]",
        "\"hooks\": {}",
        "\"mcpServers\": {}",
        "\"commands\": \"./c\"",
        "\"metadata\": {\"pluginRoot\": \"./plugins\"}",
        "\"renames\": {\"old\": \"docs\", \"gone\": null}",
        "ext::sh",
        "http://127.0.0.1/x",
        "file:///etc",
        "u:p@",
        "\\u202e",
        "\\n",
        "null",
        "true",
    ],
    max_len: 1536,
    count: 6000,
};

fn body(input: &[u8]) {
    let mut parts = input.splitn(2, |byte| *byte == 0).map(String::from_utf8_lossy);
    let text = parts.next().unwrap_or_default();
    let own = parts.next().map(|text| match Declared::parse(&text) {
        Ok(manifest) => {
            manifest.skills.iter().flatten().for_each(assert_inside_root);
            manifest.version.iter().for_each(|version| checks::assert_one_line(version));
            Some(manifest)
        }
        Err(findings) => {
            assert!(!findings.is_empty(), "refused without a reason");
            checks::assert_findings(&findings, &text);
            None
        }
    });
    let home = GitUrl::parse("http://127.0.0.1/x").expect("a valid URL");
    let marketplace = match Marketplace::parse(&text) {
        Ok(marketplace) => marketplace.at(&home),
        Err(findings) => {
            assert!(!findings.is_empty(), "refused without a reason");
            return checks::assert_findings(&findings, &text);
        }
    };
    checks::assert_findings(marketplace.findings(), &text);
    let listed: BTreeSet<PluginName> = marketplace.names().cloned().collect();
    let extra = ["old", "gone", "docs"].into_iter().filter_map(|name| PluginName::new(name).ok());
    for name in listed.iter().cloned().chain(extra) {
        let plugin = match marketplace.plugin(&name) {
            Ok(plugin) => plugin,
            Err(why) => {
                checks::assert_one_line(&why.to_string());
                checks::assert_one_line(&why.hint);
                checks::assert_findings(&why.findings, &text);
                continue;
            }
        };
        assert!(listed.contains(&plugin.name), "a plugin that is not listed");
        match &plugin.source {
            PluginSource::Relative { path, otherwise } => {
                [Some(path), otherwise.as_ref()].into_iter().flatten().for_each(assert_inside_root)
            }
            PluginSource::Git { url, path, .. } => {
                assert_inside_root(path);
                assert!(
                    *url == home || matches!(url.kind(), UrlKind::Https | UrlKind::Ssh),
                    "{url}"
                );
            }
            _ => {}
        }
        plugin.declared.skills.iter().flatten().for_each(assert_inside_root);
        plugin.declared.version.iter().for_each(|version| checks::assert_one_line(version));
        for at_root in [false, true] {
            match SkillPlan::new(&plugin, own.as_ref().and_then(Option::as_ref), at_root) {
                Ok(plan) => {
                    let paths: BTreeSet<&DirPath> =
                        plan.listed.iter().map(|listed| &listed.path).collect();
                    assert_eq!(paths.len(), plan.listed.len(), "a directory is listed twice");
                    plan.listed.iter().for_each(|listed| assert_inside_root(&listed.path));
                    assert!(!plan.may_be_one_skill || plan.listed.is_empty());
                }
                Err(why) => {
                    assert!(!plugin.strict);
                    checks::assert_one_line(&why.to_string());
                }
            }
        }
    }
}

/// Asserts that a directory is the root or inside it.
fn assert_inside_root(path: &DirPath) {
    if !path.is_root() {
        checks::assert_inside(path.as_str());
    }
    assert_eq!(DirPath::new(path.as_str()).as_ref(), Ok(path));
}

fn seeds() -> Vec<Vec<u8>> {
    [
        r#"{"name": "team", "owner": {"name": "Team"}, "renames": {"old": "docs", "gone": null}, "plugins": [{"name": "docs", "source": "./plugins/docs", "version": "1.2.0", "skills": ["./extra", "./skills"], "hooks": {}}, {"name": "broken", "source": "../../elsewhere"}]}"#.to_owned(),
        r#"{"metadata": {"pluginRoot": "./plugins"}, "plugins": [{"name": "a", "source": "docs"}, {"name": "b", "source": {"source": "github", "repo": "a/b", "ref": "main"}}, {"name": "c", "source": {"source": "git-subdir", "url": "https://example.com/r.git", "path": "p/q", "sha": "f5d81cb5a7b1d15cdc08c15bafbc7e3c91123a74"}}, {"name": "d", "source": {"source": "url", "url": "git@example.com:r.git"}}, {"name": "e", "source": {"source": "npm", "package": "x"}}, {"name": "a", "source": "./twice"}]}"#.to_owned(),
        format!("{}\0{}", r#"{"plugins": [{"name": "pdf", "source": "./", "strict": false, "skills": ["./skills/pdf"]}]}"#, r#"{"name": "pdf", "version": "1.2.0", "skills": "./extra", "mcpServers": {}}"#),
    ]
    .map(String::into_bytes)
    .to_vec()
}
