//! The URLs of submodules.

use gix::config::File;
use helix_skills_format::{__internal::UrlKind, GitUrl};

/// Returns the URL of the submodule at `path` or above it, by the text of `.gitmodules`. `None` if
/// the text has none, or one that this crate does not fetch.
#[must_use]
pub fn submodule_url(text: &str, path: &str) -> Option<GitUrl> {
    let file = File::try_from(text).ok()?;
    let mut modules = file.sections_by_name("submodule")?;
    let is_above = |above: &str| {
        path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let module = modules.find(|module| {
        let above = module.value("path");
        above.is_some_and(|above| std::str::from_utf8(&above).is_ok_and(is_above))
    })?;
    let url = module.value("url")?;
    let url = GitUrl::parse(std::str::from_utf8(&url).ok()?).ok()?;
    // Others are relative to the URL of the repository.
    (url.kind() != UrlKind::File).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::submodule_url;

    #[test]
    fn url_of_a_submodule_is_found_by_its_path() {
        let text = "[submodule \"a\"]\n\tpath = skills/a\n\turl = https://example.com/a.git\n\
                    [submodule \"b\"]\n\tpath = b\n\turl = ../b.git\n";
        let url = |path| submodule_url(text, path).map(|url| url.to_string());
        assert_eq!(url("skills/a").as_deref(), Some("https://example.com/a.git"));
        assert_eq!(url("b"), None, "relative to the URL of the repository");
        assert_eq!(url("skills/a/b").as_deref(), Some("https://example.com/a.git"));
        assert_eq!(url("skills/ab"), None);
        assert_eq!(submodule_url("[submodule", "a"), None);
    }
}
