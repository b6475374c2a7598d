//! Programs that serve skills from directories and run their commands and scripts.
#![cfg(unix)]

use crate::cargo::{Consumer, facade, workspace};

fn dependencies() -> String {
    let host = format!("helix-skills-host = {{ path = {:?} }}\n", workspace().join("host"));
    format!("{}{host}pollster = \"1\"\n", facade("helix-skills", ", features = [\"agent\"]"))
}

#[test]
fn directories_are_reloaded_at_run_time() {
    let consumer = Consumer::new("directories");
    consumer.package("", "directories", &dependencies());
    consumer.write("src/main.rs", include_str!("fixtures/directories_main.rs"));
    consumer.write(
        "public/pdf/SKILL.md",
        "---\nname: pdf\ndescription: Reads PDF files.\n---\nFirst.\n",
    );
    consumer.write("public/pdf/notes.md", "Public.\n");
    consumer.write(
        "public/csv/SKILL.md",
        "---\nname: csv\ndescription: Reads CSV files.\n---\nUse `xsv`.\n",
    );
    consumer.write("custom/csv/SKILL.md", "---\nname: csv\ndescription: Ours.\n---\nUse `qsv`.\n");
    consumer.write("custom/broken/SKILL.md", "---\nname: broken\n---\nNo description.\n");
    consumer.cargo(&["run", "--quiet"]).success();
}

#[test]
fn commands_and_scripts_need_approval() {
    let consumer = Consumer::new("live");
    consumer.package("", "live", &dependencies());
    consumer.write("src/main.rs", include_str!("fixtures/live_main.rs"));
    // In this profile, commands run in the directory of the session.
    let body = "Counted: !`wc -l < ${SKILL_DIR}/list.txt | tr -d ' '`\n\
                Asked for $0: !`grep -n -e $0 -- ${SKILL_DIR}/list.txt`\n";
    consumer.write(
        "skills/count/SKILL.md",
        format!("---\nname: count\ndescription: Counts lines.\n---\n{body}"),
    );
    consumer.write("skills/count/list.txt", "one\ntwo\n");
    consumer.write("skills/count/scripts/say.sh", "echo \"said: $1\"\n");
    consumer.write(
        "skills/curl/SKILL.md",
        "---\nname: curl\ndescription: Fetches.\n---\n!`curl example.com`\n",
    );
    consumer.cargo(&["run", "--quiet"]).success();
}
