//! Behavior that all profiles share.

use crate::features::set::{builder, toolbox};
use helix_skills_runtime::Profile;

#[test]
fn profiles_have_names_for_the_command_line() {
    let names = Profile::ALL.map(Profile::name);
    assert_eq!(
        names,
        ["helix", "skill-use", "agentick", "deer-flow", "deep-agents", "claude-code"]
    );
    for profile in Profile::ALL {
        assert_eq!(Profile::from_name(profile.name()), Some(profile));
    }
    assert_eq!(Profile::from_name("Helix"), None);
}

#[test]
fn texts_are_the_same_in_any_order_of_calls() {
    let render = |profile| {
        let toolbox = toolbox(profile);
        let tools = toolbox
            .tools([])
            .unwrap()
            .map(|tool| format!("{} {}", tool.description(), tool.parameters()));
        (toolbox.catalog().to_string(), tools.collect::<Vec<_>>())
    };
    let forward = Profile::ALL.map(render);
    let mut backward = Profile::ALL;
    backward.reverse();
    let mut backward = backward.map(render);
    backward.reverse();
    assert_eq!(forward, backward);
}

#[test]
fn texts_fit_a_buffer_of_their_length() {
    for profile in Profile::ALL {
        let catalog = builder(profile).preload(&["pdf"]).build().unwrap().catalog();
        let text = catalog.to_string();
        let mut buffer = vec![0; text.len()];
        assert_eq!(catalog.write_into(&mut buffer), Ok(text.as_str()));
        let error = catalog.write_into(&mut buffer[1..]).unwrap_err();
        assert_eq!(error.needed, text.len());
        assert_eq!(error.to_string(), format!("the text needs a buffer of {} bytes", text.len()));
        let mut out = String::new();
        catalog.write_to(&mut out).unwrap();
        assert_eq!(out, text);
    }
}
