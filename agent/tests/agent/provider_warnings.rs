//! Warnings about skills of a provider that a toolbox works without.

use crate::wait;
use helix_skills_agent::{AsyncToolbox, Providers};
use helix_skills_runtime::{
    __private::{Parts, provenance, skill},
    Call, Profile, Skill, SkillSet,
};

const PARTS: Parts<'_> = Parts { name: "pdf", description: "Does.", body: "Do.", ..Parts::EMPTY };

#[test]
fn duplicates_are_reported_with_their_places() {
    let own = [Skill::from(Parts {
        provenance: provenance(None, None, None, None, "skills/pdf", None),
        ..PARTS
    })];
    let remote = [Skill::from(Parts {
        provenance: provenance(None, Some("https://example.com/r"), None, None, "pdf", None),
        ..PARTS
    })];
    let mut on_disk = skill(PARTS);
    on_disk.set_directory(Some("/srv/skills/pdf".to_owned()));
    let on_disk = vec![on_disk];
    let providers =
        Providers::new().with(SkillSet::new(&own)).with(SkillSet::new(&remote)).with(on_disk);
    let toolbox = wait(AsyncToolbox::builder(providers).build()).unwrap();
    let warnings: Vec<_> = toolbox.warnings().iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "two skills have the name `pdf`: that of provider 1 (`skills/pdf`) is used, \
             that of provider 2 (`https://example.com/r pdf`) is left out",
            "two skills have the name `pdf`: that of provider 1 (`skills/pdf`) is used, \
             that of provider 3 (`/srv/skills/pdf`) is left out",
        ]
    );
}

#[test]
fn skill_named_like_a_tool_is_left_out() {
    let named = |name| Skill::from(Parts { name, ..PARTS });
    for (profile, names, left_out) in [
        (Profile::Helix, ["load_skill", "skill"], "load_skill"),
        (Profile::Helix, ["search_skills", "skill"], "search_skills"),
        (Profile::Agentick, ["load_skill", "skill"], "skill"),
        (Profile::SkillUse, ["Skill", "skill_read_file"], "skill_read_file"),
    ] {
        let skills = names.map(named).to_vec();
        let toolbox = wait(AsyncToolbox::builder(skills).profile(profile).build()).unwrap();
        let warnings: Vec<_> = toolbox.warnings().iter().map(ToString::to_string).collect();
        assert_eq!(
            warnings,
            [format!("`{left_out}` is left out: a tool for skills has this name")]
        );
        {
            let toolbox = toolbox.listed();
            assert!(toolbox.skills().map(|skill| skill.name()).all(|name| name != left_out));
            assert_eq!(toolbox.skills().count(), 1);
        };
        let call = Call::LoadSkill { name: left_out, arguments: None };
        assert!(wait(toolbox.answer(call)).is_error());
    }
}
