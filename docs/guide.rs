//! The guide in `src/`, page by page, so that its Rust blocks are tests.
//!
//! The blocks are compiled as they are shown. None has hidden lines, because GitHub shows them.
//! `include_skills!()` in a block finds the project in this directory.

macro_rules! pages {
    ($($name:ident: $path:literal,)*) => {$(
        #[cfg(doctest)]
        #[doc = include_str!(concat!("src/", $path))]
        mod $name {}
    )*};
}

pages! {
    first_skill: "tutorials/first-skill.md",
    pinned_skill: "tutorials/pinned-skill.md",
    changing_skills: "tutorials/changing-skills.md",
    own_loop: "how-to/own-loop.md",
    rig: "how-to/rig.md",
    http: "how-to/http.md",
    streaming: "how-to/streaming.md",
    long_conversations: "how-to/long-conversations.md",
    choose: "how-to/choose.md",
    from_helix: "how-to/coming-from/helix.md",
    from_skill_use: "how-to/coming-from/skill-use.md",
    from_agentick: "how-to/coming-from/agentick.md",
    from_deer_flow: "how-to/coming-from/deer-flow.md",
    from_deep_agents: "how-to/coming-from/deep-agents.md",
    skills_in_code: "how-to/skills-in-code.md",
    library: "how-to/library.md",
    build_scripts: "how-to/build-scripts.md",
    commands: "how-to/commands.md",
    runs: "how-to/runs.md",
    mcp: "how-to/mcp.md",
    ship_skills: "how-to/ship-skills.md",
    installed_as_json: "how-to/installed-as-json.md",
    which: "how-to/which.md",
    include_skills: "reference/include-skills.md",
    profiles: "reference/profiles.md",
}

// READMEs of crates whose examples embed the skills of a package.

#[cfg(doctest)]
#[doc = include_str!("../macros/README.md")]
mod macros {}

#[cfg(doctest)]
#[doc = include_str!("../mcp/README.md")]
mod mcp_crate {}
