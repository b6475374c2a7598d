//! What each skill adds to a catalog.

use helix_skills_runtime::{
    __internal::build_unchecked,
    __private::{Parts, skill},
    Profile, Skill, SkillSet, Toolbox,
};

/// Two skills to measure a catalog with.
const STAND_INS: [Skill<'_>; 2] =
    [skill(Parts { name: "a", ..Parts::EMPTY }), skill(Parts { name: "b", ..Parts::EMPTY })];

/// Returns how many bytes each skill of `set`, in its order, adds to the catalog.
///
/// That is its line or its element, with the whole description and without the mark of a preloaded
/// skill; 0 for a skill that models may not load. `root` is the directory of the skills' files, for
/// profiles that print it.
#[must_use]
pub fn catalog_costs(set: SkillSet<'_>, profile: Profile, root: Option<&str>) -> Vec<usize> {
    // A list is a frame, and one piece for each skill: what two lists of one have more than one list of two is the frame.
    let measure = |skills: &[Skill<'_>]| list(SkillSet::new(skills), profile, root);
    let [a, b] = STAND_INS;
    let frame = (measure(&[a]) + measure(&[b])).saturating_sub(measure(&STAND_INS));
    set.iter().map(|skill| measure(std::slice::from_ref(skill)).saturating_sub(frame)).collect()
}

/// The bytes of the text that lists a set.
fn list(set: SkillSet<'_>, profile: Profile, root: Option<&str>) -> usize {
    let builder = Toolbox::builder(set).profile(profile);
    let toolbox = build_unchecked(root.map_or(builder, |root| builder.at(root)));
    match profile {
        // The description of its one tool is the list.
        Profile::Agentick => toolbox
            .tools([])
            .into_iter()
            .flatten()
            .next()
            .map_or(0, |tool| tool.description().len()),
        _ => toolbox.catalog().len(),
    }
}

#[cfg(test)]
mod tests {
    use super::{catalog_costs as lines, *};

    #[test]
    fn the_lines_of_a_list_are_all_of_it_but_the_frame_whatever_the_profile() {
        let parts =
            |name, description| skill(Parts { name, description, body: "Do.", ..Parts::EMPTY });
        let hidden = Parts {
            name: "hidden",
            description: "x",
            disable_model_invocation: true,
            ..Parts::EMPTY
        };
        let skills = [
            parts("Zed", "Does\nit."),
            skill(hidden),
            parts("näher", "<x> & so on"),
            parts("pdf", "Reads."),
        ];
        for profile in Profile::ALL {
            for root in [None, Some("/opt/skills")] {
                let lines = lines(SkillSet::new(&skills), profile, root);
                assert_eq!(lines[1], 0, "{profile:?}");
                let sum: usize = lines.iter().sum();
                let without = |at: usize| {
                    list(SkillSet::new(&[&skills[..at], &skills[at + 1..]].concat()), profile, root)
                };
                let all = list(SkillSet::new(&skills), profile, root);
                for (at, line) in lines.iter().enumerate() {
                    assert_eq!(all - without(at), *line, "{profile:?} {}", skills[at].name());
                }
                assert!(sum < all, "{profile:?}: there is a frame");
            }
        }
        let helix = lines(SkillSet::new(&skills), Profile::Helix, None);
        assert_eq!(
            helix,
            ["- Zed: Does it.\n".len(), 0, "- näher: <x> & so on\n".len(), "- pdf: Reads.\n".len()]
        );
    }
}
