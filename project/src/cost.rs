//! The number of bytes that each skill adds to a catalog.

use helix_skills_runtime::{
    __internal::build_unchecked,
    __private::{Parts, skill},
    Profile, Skill, SkillSet, Toolbox,
};

/// Two skills to measure the frame of a catalog with.
const SAMPLES: [Skill; 2] =
    [skill(Parts { name: "a", ..Parts::EMPTY }), skill(Parts { name: "b", ..Parts::EMPTY })];

/// Returns how many bytes each skill of `set`, in its order, adds to the catalog.
///
/// That is its line or element with the whole description, even if a budget would shorten it, and
/// without the mark of a preloaded skill; 0 for a skill that models may not load. `root` is the
/// directory of the skills' files, for profiles that print it.
#[must_use]
pub fn catalog_costs(set: SkillSet<'_>, profile: Profile, root: Option<&str>) -> Vec<usize> {
    // A catalog is a frame and one piece per skill. Two catalogs of one skill each have one frame
    // more than a catalog of both.
    let measure = |skills: &[Skill]| catalog_len(SkillSet::new(skills), profile, root);
    let [a, b] = SAMPLES;
    let frame = (measure(&[a]) + measure(&[b])).saturating_sub(measure(&SAMPLES));
    set.iter().map(|skill| measure(std::slice::from_ref(skill)).saturating_sub(frame)).collect()
}

/// Returns the length in bytes of the text that lists a set.
fn catalog_len(set: SkillSet<'_>, profile: Profile, root: Option<&str>) -> usize {
    let builder = Toolbox::builder(set).profile(profile);
    let toolbox = build_unchecked(root.map_or(builder, |root| builder.at(root)));
    match profile {
        // The description of its only tool is the catalog.
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
    use super::*;

    #[test]
    fn costs_and_frame_add_up_to_the_catalog_in_every_profile() {
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
                let costs = catalog_costs(SkillSet::new(&skills), profile, root);
                assert_eq!(costs[1], 0, "{profile:?}");
                let sum: usize = costs.iter().sum();
                let without = |at: usize| {
                    let others = [&skills[..at], &skills[at + 1..]].concat();
                    catalog_len(SkillSet::new(&others), profile, root)
                };
                let all = catalog_len(SkillSet::new(&skills), profile, root);
                for (at, cost) in costs.iter().enumerate() {
                    assert_eq!(all - without(at), *cost, "{profile:?} {}", skills[at].name());
                }
                assert!(sum < all, "{profile:?}: there is a frame");
            }
        }
        let helix = catalog_costs(SkillSet::new(&skills), Profile::Helix, None);
        assert_eq!(
            helix,
            ["- Zed: Does it.\n".len(), 0, "- näher: <x> & so on\n".len(), "- pdf: Reads.\n".len()]
        );
    }
}
