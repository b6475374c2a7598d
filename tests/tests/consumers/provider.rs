//! Programs with custom providers.

use crate::cargo::{Consumer, facade};

#[test]
fn custom_provider_serves_the_toolbox() {
    let consumer = Consumer::new("provider");
    let dependencies =
        format!("{}pollster = \"1\"\n", facade("helix-skills", ", features = [\"agent\"]"));
    consumer.package("", "provider", &dependencies);
    consumer.write("src/main.rs", include_str!("fixtures/provider_main.rs"));
    consumer.write("skills/local/SKILL.md", "---\nname: local\ndescription: Baked.\n---\nLocal.\n");
    consumer.cargo(&["run", "--quiet"]).success();
}
