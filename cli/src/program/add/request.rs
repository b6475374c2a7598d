//! What `skills add` is asked for: the argument and the options as one source with its selection.
//!
//! | argument | reading |
//! |---|---|
//! | `OWNER/REPO`, `OWNER/REPO#REF`, either with `@SKILL` | a repository on github.com at a branch or tag, a skill |
//! | `OWNER/REPO/PATH` | a skill in it, or a directory with skills at any depth |
//! | `OWNER/REPO/DIR@SKILL` | the skill in this directory |
//! | `https://github.com/OWNER/REPO/tree/REF/PATH`, or `blob` and a SKILL.md | what the page shows, like a path |
//! | `https://HOST/REPO/-/tree/REF/PATH`, or `blob` and a SKILL.md | what the page on GitLab shows |
//! | `skills.sh/OWNER/REPO`, `skills.sh/OWNER/REPO/SKILL` | a repository on github.com, a skill |
//! | a page on Bitbucket, Gitea, Azure DevOps, SourceHut … | an error with the command for the repository and path |
//! | any other URL of git, also with a user name | a repository |
//! | `./PATH`, `../PATH`, `/PATH` | a local directory or repository |
//!
//! A path is a key of `include`: it has a `/`, as in `./DIR`. Commands of other programs, such as
//! `npx skills add X`, are rewritten before, by `pasted::translate`.

use super::location::{Location, local, not_a_source, parse_url, short};
use crate::program::{
    Context,
    args::{Add, Pin},
    usage_error::usage_error,
};
use clap::ValueEnum as _;
use helix_skills_format::{
    __internal::{is_owner_and_repository, path_key},
    DirPath, GitUrl, ObjectId, RefName,
};
use helix_skills_host::install::CodingAgent;
use helix_skills_project::{__internal::References, Error, Project};
use percent_encoding::percent_decode_str;

const GITHUB: &str = "github.com/";

/// A source, and the options that select and pin its skills.
pub(super) struct Request {
    pub(super) location: Location,
    /// The options as if all of them had been typed, and the source as commands name it.
    pub(super) args: Add,
}

impl Request {
    /// Reads the arguments. Asks the server for its branches and tags if the argument is a page,
    /// because its address does not say where the name of a branch ends.
    ///
    /// # Errors
    /// If the argument has none of the readings, a local directory has the same name, or an option
    /// contradicts it.
    pub(super) fn read(
        context: &Context<'_>,
        project: &Project,
        typed: &Add,
    ) -> Result<Self, Error> {
        let typed = &own_options(context, typed);
        let source = &typed.source;
        let text = source.with_secrets();
        let is_path = matches!(text, "." | "..")
            || ["/", "./", "../"].iter().any(|begin| text.starts_with(begin));
        if is_path && !text.starts_with("//") {
            let (location, note) = local(&context.start, project.root(), typed)?;
            note.into_iter().for_each(|note| context.output.note("note:", note));
            return Ok(Self { location, args: typed.clone() });
        }
        let short_form = on_github(text).or_else(|| on_skills_sh(text));
        let plain = text.trim_end_matches('/');
        // A drive letter would make it absolute.
        if !plain.is_empty() && !text.contains(':') && context.start.join(plain).is_dir() {
            let what = format!("`{source}` is a local directory, but does not start with `./`");
            let other = short_form.map(|found| format!(" or `{}` for the repository", found.url));
            let other = other.unwrap_or_default();
            return Err(usage_error(what, format!("use `./{plain}` for the directory{other}")));
        }
        let found = match short_form {
            Some(found) => found,
            None => match on_page(context, project, typed)? {
                Some(found) => found,
                None => Found::new(parse_url(source)?),
            },
        };
        let args = found.complete(typed);
        let is_other_pin = !typed.pin.is_empty() && typed.pin != args.pin;
        if is_other_pin
            || typed.skills_dir.as_ref().is_some_and(|it| Some(it) != args.skills_dir.as_ref())
        {
            let what = format!("an option contradicts `{source}`");
            return Err(usage_error(what, format!("run `{}`", args.command())));
        }
        Ok(Self { location: Location::Repository(found.url), args })
    }
}

/// A repository, and what an argument selects of it.
struct Found {
    url: GitUrl,
    /// The option that pins a branch, tag or commit.
    pin: Pin,
    /// A directory or the SKILL.md in it; empty if none was named.
    directory: String,
    /// A skill, in the directory if there is one.
    skill: Option<String>,
}

impl Found {
    fn new(url: GitUrl) -> Self {
        Self { url, pin: Pin::default(), directory: String::new(), skill: None }
    }

    /// Returns the arguments with the pin and with what is selected.
    fn complete(&self, args: &Add) -> Add {
        let mut args = Add { source: short(&self.url).into(), ..args.clone() };
        if !self.pin.is_empty() {
            args.pin = self.pin.clone();
        }
        let page = self.directory.trim_end_matches('/');
        let directory = page.strip_suffix("/SKILL.md").unwrap_or(page);
        let directory = DirPath::new(if page == "SKILL.md" { "." } else { directory });
        match (&self.skill, directory) {
            (Some(skill), directory) => {
                if args.plugin.is_none() {
                    args.skills_dir = directory.ok().or(args.skills_dir);
                }
                args.include.push(skill.clone());
            }
            (None, Ok(directory)) => args.include.push(path_key(&directory)),
            (None, Err(_)) => {
                args.include.extend(Some(page.to_owned()).filter(|it| !it.is_empty()))
            }
        }
        args
    }
}

/// Returns the options without those of other programs, which a note explains.
fn own_options(context: &Context<'_>, typed: &Add) -> Add {
    let mut args = Add { source: typed.source.without_user(), ..typed.clone() };
    args.all |= args.include.iter().any(|name| name == "*");
    args.include.retain(|name| name != "*");
    if args.others > 0 || !args.agents.is_empty() {
        let known = args.agents.iter().filter_map(|name| CodingAgent::from_str(name, true).ok());
        let known: Vec<String> = known.map(|agent| agent.to_string()).collect();
        let agents = if known.is_empty() { "" } else { " --agent " };
        let text = format!(
            "`--agent`, `--global` and other options of npm `skills` and `gh skill` do not apply: skills are found at any depth, and `skills install{agents}{}` copies the locked ones for coding agents",
            known.join(",")
        );
        context.output.note("note:", text);
    }
    args
}

/// Parses `OWNER/REPO[/PATH][@SKILL]` and `OWNER/REPO#REF[@SKILL]`.
fn on_github(text: &str) -> Option<Found> {
    let (before, reference) = text.split_once('#').map_or((text, None), |(a, b)| (a, Some(b)));
    let last = reference.unwrap_or(before);
    let (last, skill) = last.rsplit_once('@').map_or((last, None), |(a, b)| (a, Some(b)));
    let path = if reference.is_some() { before } else { last };
    let path = path.strip_suffix('/').unwrap_or(path);
    let end = path.match_indices('/').nth(1).map_or(path.len(), |(at, _)| at);
    let (repository, directory) = (&path[..end], path.get(end + 1..).unwrap_or_default());
    let is_part = |part: &str| {
        let is_other = |c: char| c.is_control() || r"/\@?*".contains(c);
        !matches!(part, "" | "." | "..") && !part.starts_with('-') && !part.contains(is_other)
    };
    // An owner with a dot is a host.
    let is_valid = is_owner_and_repository(repository)
        && !repository.split('/').next()?.contains('.')
        && skill.is_none_or(is_part)
        && (end == path.len() || directory.split('/').all(is_part))
        && reference.is_none_or(|_| directory.is_empty() && RefName::new(last).is_ok());
    let url = is_valid.then(|| GitUrl::parse(&repository_url(&format!("{GITHUB}{repository}"))));
    Some(Found {
        pin: reference.map(|_| Pin::reference(last)).unwrap_or_default(),
        directory: directory.to_owned(),
        skill: skill.map(str::to_owned),
        ..Found::new(url?.ok()?)
    })
}

/// Parses the address of a page of the directory skills.sh, which shows repositories on github.com.
fn on_skills_sh(text: &str) -> Option<Found> {
    let address = text.trim_start_matches("https://").trim_start_matches("www.");
    let path = address.strip_prefix("skills.sh/")?.split(['?', '#']).next()?;
    let path = path.trim_end_matches('/');
    on_github(&match path.match_indices('/').nth(1) {
        Some((at, _)) => format!("{}@{}", &path[..at], &path[at + 1..]),
        None => path.to_owned(),
    })
}

/// Parses the address of a page. Returns `None` for what is not a page.
///
/// # Errors
/// If the page shows neither a directory nor a SKILL.md, or no branch or tag has its name, or it is
/// neither on GitHub nor on GitLab.
fn on_page(context: &Context<'_>, project: &Project, args: &Add) -> Result<Option<Found>, Error> {
    let typed = &args.source;
    let Some(address) = typed.with_secrets().strip_prefix("https://") else { return Ok(None) };
    let (path, query) = address.split_at(address.find(['?', '#']).unwrap_or(address.len()));
    let path = path.strip_prefix("www.").filter(|it| it.starts_with(GITHUB)).unwrap_or(path);
    let (repository, page) = if path.starts_with(GITHUB) {
        let page = path.match_indices('/').nth(2).map_or(path.len(), |(at, _)| at);
        path.split_at(page)
    } else if let Some(page) = path.split_once("/-/") {
        page
    } else {
        let Some(found) = on_other_host(path, query) else { return Ok(None) };
        let what = format!("`{typed}` is a web page, and only those of GitHub and GitLab are read");
        let command = found.complete(args).command();
        let hint = format!("run `{command}`, with `--ref` for another branch");
        return Err(usage_error(what, hint));
    };
    if repository.matches('/').count() < 2 {
        return Err(not_a_source(typed, None));
    }
    let url = parse_url(&repository_url(repository).as_str().into())?;
    // Browsers encode characters in the names of branches and directories.
    let page = percent_decode_str(page.trim_matches('/')).decode_utf8_lossy();
    match page.split_once('/') {
        None if page.is_empty() && query.is_empty() => Ok(Some(Found::new(url))),
        Some((kind, rest)) if kind == "tree" || (kind == "blob" && rest.ends_with("/SKILL.md")) => {
            split_page(context, project, (url, args), rest).map(Some)
        }
        _ => Err(not_a_source(typed, Some(&url))),
    }
}

/// Parses the address of a page on a host whose pages are not read. Its branch or tag is ignored.
fn on_other_host(path: &str, query: &str) -> Option<Found> {
    let (repository, directory) = if path.contains("/_git/") {
        (path, query.split(['?', '&', '#']).find_map(|pair| pair.strip_prefix("path="))?)
    } else {
        let kinds = ["/src/branch/", "/src/tag/", "/src/commit/", "/tree/", "/blob/"];
        // Elsewhere, a group of repositories can be named `src`.
        let bitbucket = path.starts_with("bitbucket.org/").then_some("/src/");
        let page = kinds.into_iter().chain(bitbucket).find_map(|kind| path.split_once(kind));
        let (repository, page) = page.filter(|_| !path.ends_with(".git"))?;
        let directory = page.split_once('/').map_or("", |(_, directory)| directory);
        let on_sourcehut = path.starts_with("git.sr.ht/").then(|| directory.strip_prefix("item/"));
        (repository, on_sourcehut.flatten().unwrap_or(directory))
    };
    let directory = percent_decode_str(directory).decode_utf8_lossy();
    let url = GitUrl::parse(&format!("https://{repository}")).ok()?;
    let is_repository = repository.matches('/').count() > 1;
    is_repository
        .then(|| Found { directory: directory.trim_matches('/').into(), ..Found::new(url) })
}

/// Splits the end of a page's address: a branch, tag or commit, whose name may contain `/`, then a
/// directory.
fn split_page(
    context: &Context<'_>,
    project: &Project,
    (url, args): (GitUrl, &Add),
    rest: &str,
) -> Result<Found, Error> {
    let at = |pin, directory: &str| Found {
        pin,
        directory: directory.to_owned(),
        ..Found::new(url.clone())
    };
    let (first, directory) = rest.split_once('/').unwrap_or((rest, ""));
    if let Ok(commit) = first.parse::<ObjectId>() {
        return Ok(at(Pin { sha: Some(commit), ..Pin::default() }, directory));
    }
    let References { default_branch, branches, tags, .. } =
        context.run("looking for branches and tags", || project.references(&url))?;
    let full = ["refs/heads/", "refs/tags/"];
    let rest = full.iter().find_map(|prefix| rest.strip_prefix(prefix)).unwrap_or(rest);
    let split = |name| {
        let after = rest.strip_prefix(String::as_str(name))?;
        let is_whole = after.is_empty() || after.starts_with('/');
        is_whole.then(|| (name.as_str(), after.trim_start_matches('/')))
    };
    // The longest name is the most specific one.
    let found = branches.iter().chain(&tags).filter_map(split);
    let Some((name, directory)) = found.max_by_key(|(name, _)| name.len()) else {
        let what = format!("`{url}` has no branch or tag with which `{rest}` begins");
        let default = default_branch.map(|name| format!("the default branch is `{name}`; "));
        let list = Found::new(url.clone()).complete(args).list_command();
        let hint = format!("{}run `{list}`", default.unwrap_or_default());
        return Err(usage_error(what, hint));
    };
    // The pin of a page of the default branch is the newest release.
    let is_default = default_branch.as_deref() == Some(name);
    Ok(at(if is_default { Pin::default() } else { Pin::reference(name) }, directory))
}

fn repository_url(address: &str) -> String {
    format!("https://{}.git", address.trim_end_matches(".git"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::quoted::quoted;

    fn other_host(address: &str) -> Option<Found> {
        let (path, query) = address.split_at(address.find(['?', '#']).unwrap_or(address.len()));
        on_other_host(path, query)
    }

    fn command(found: Option<Found>, text: &str) -> String {
        let found = found.unwrap_or_else(|| panic!("{text}"));
        found.complete(&Add::default()).command()
    }

    #[test]
    fn short_forms_are_read_as_options() {
        for (text, options) in [
            ("o/r", ""),
            ("o/r/", ""),
            ("o/r/plugins", " --include ./plugins"),
            ("o/r/skills/x", " --include skills/x"),
            ("o/r/plugins/p/skills/x/SKILL.md", " --include plugins/p/skills/x"),
            ("o/r/SKILL.md", " --include ./"),
            (
                "o/r/.claude/skills/Agent Development",
                " --include '.claude/skills/Agent Development'",
            ),
            ("o/r@x", " --include x"),
            ("o/r@Agent Development", " --include 'Agent Development'"),
            ("o/r@ns:x", " --include ns:x"),
            ("o/r#feature/x@y", " --ref feature/x --include y"),
            ("o/r/plugins/p@x", " --skills-dir plugins/p --include x"),
        ] {
            assert_eq!(command(on_github(text), text), format!("skills add o/r{options}"));
        }
        for text in
            ["o", "o/r@a/b", "o/r@", "o/r/../x", "o/r//x", "o/r/-x", "o/r/*", "o/r@..", "o.h/r"]
        {
            assert!(on_github(text).is_none(), "{text}");
        }
        let page = "https://skills.sh/o/r/x";
        assert_eq!(command(on_skills_sh(page), page), "skills add o/r --include x");
    }

    #[test]
    fn pages_of_other_hosts_are_answered_with_options() {
        for (page, url, path) in [
            ("bitbucket.org/o/r/src/main/skills/x/?at=v1", "bitbucket.org/o/r", "skills/x"),
            ("codeberg.org/o/r/src/branch/dev/skills/x", "codeberg.org/o/r", "skills/x"),
            ("git.corp/o/r/src/tag/v1/a/x/SKILL.md", "git.corp/o/r", "a/x"),
            ("git.sr.ht/~o/r/tree/master/item/skills/x", "git.sr.ht/~o/r", "skills/x"),
            ("gitlab.com/g/s/r/tree/main/a%20b/x", "gitlab.com/g/s/r", "a b/x"),
            ("ghe.corp/o/r/blob/dev/SKILL.md", "ghe.corp/o/r", "./"),
            (
                "dev.azure.com/o/my%20p/_git/r?path=%2Fskills%2Fx&version=GBdev#l1",
                "dev.azure.com/o/my%20p/_git/r",
                "skills/x",
            ),
        ] {
            let (url, path) = (quoted(&format!("https://{url}")), quoted(path));
            let expected = format!("skills add {url} --include {path}");
            assert_eq!(command(other_host(page), page), expected);
        }
        for url in [
            "git.corp/o/r",
            "git.corp/team/src/r",
            "git.corp/g/s/src/r.git",
            "git.corp/g/tree/r",
            "git.corp/g/s/tree/r.git",
            "dev.azure.com/o/p/_git/r",
            "dev.azure.com/o/p/_git/r?_a=history",
        ] {
            assert!(other_host(url).is_none(), "{url}");
        }
    }
}
