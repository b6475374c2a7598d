//! What the text of a skill mentions outside of the skill.

/// The variable in which Claude Code has the directory of a plugin.
const PLUGIN_ROOT: &str = "${CLAUDE_PLUGIN_ROOT}/";

/// The words before a name that say to use the skill, unlike those of an example ("a `pdf` skill").
const USES: [&str; 8] = ["the", "use", "load", "invoke", "run", "see", "with", "via"];

/// Returns the paths in a text that may lead out of the directory of its file: those that begin
/// with `../`, and those from a plugin's directory, for which the first value is true.
pub(crate) fn paths(text: &str) -> impl Iterator<Item = (bool, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "./_-${}".contains(c);
    text.split(move |c| !is_part(c)).filter_map(|token| {
        let token = token.trim_end_matches(['.', '/']);
        match token.split_once(PLUGIN_ROOT) {
            Some((_, path)) => Some((true, path)),
            None => Some((false, token)).filter(|(_, path)| path.starts_with("../")),
        }
    })
}

/// Returns the names in backticks that a text calls skills: "use the `pdf` skill". A name may be
/// after that of its plugin: `office:pdf`.
pub(crate) fn skills(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| {
        let parts: Vec<&str> = line.split('`').collect();
        let name = |around: &[&'_ str]| {
            let last = around[0].trim_end().rsplit(' ').next().unwrap_or_default();
            let is_skill = around[2]
                .strip_prefix(" skill")
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'));
            last == "skill" || is_skill && USES.iter().any(|word| last.eq_ignore_ascii_case(word))
        };
        let names = parts.windows(3).step_by(2).filter(|around| name(around));
        names.filter_map(|around| around[1].rsplit(':').next()).collect::<Vec<_>>()
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn paths_and_skills_are_found_in_text() {
        let text =
            "See [x](${CLAUDE_PLUGIN_ROOT}/shared/x.md), `../y/z.md`, or ../../w/.\n`./a/../b`";
        let paths: Vec<_> = super::paths(text).collect();
        assert_eq!(paths, [(true, "shared/x.md"), (false, "../y/z.md"), (false, "../../w")]);
        let text = "Use the `a` skill, or the skill `p:b`.\nA `c` skill; the `d` skills; the `e` tool.\n```\nthe `f` skill";
        assert_eq!(super::skills(text).collect::<Vec<_>>(), ["a", "b", "f"]);
    }
}
