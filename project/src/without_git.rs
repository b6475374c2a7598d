//! Errors for sources in repositories in builds without the feature `git`.

use crate::{
    Error,
    fetch::{FetchRequest, Fetched},
};

/// Refuses a request.
pub(crate) fn refuse(request: FetchRequest) -> Result<Fetched, Error> {
    let hint = "enable the feature `git` of helix-skills-project, or run `skills sync`";
    let what = "this program has no support for git repositories";
    Err(Error::unresolved(&request.key, what).with_hint(hint))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::Project;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test writes its own project")]
    fn repositories_are_errors_that_name_the_feature() {
        let project = tempfile::tempdir().unwrap();
        let manifest =
            r#"{"skills": {"far": {"type": "git", "url": "https://git.example/o/r.git"}}}"#;
        std::fs::write(project.path().join("helix.skills.json"), manifest).unwrap();
        let failure =
            Project::at(project.path()).cache_dir(project.path().join("cache")).sync().unwrap_err();
        let [error] = failure.errors() else { panic!("{failure:?}") };
        assert_eq!(
            error.to_string(),
            "the source `far`: this program has no support for git repositories"
        );
        assert!(error.hint().unwrap().contains("the feature `git` of helix-skills-project"));
    }
}
