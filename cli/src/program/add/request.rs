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

use super::location::{in_repository, local, not_a_source, parse_url, short};
use crate::program::{
    Context,
    args::{Add, Pin},
    usage_error::usage_error,
};
use clap::ValueEnum as _;
use helix_skills_format::{
    __internal::{is_owner_and_repository, path_key},
    DirPath, GitUrl, ObjectId, RefName, Source,
};
use helix_skills_host::install::CodingAgent;
use helix_skills_project::{__internal::References, Error, Project};
use percent_encoding::percent_decode_str;

const GITHUB: &str = "github.com/";

/// A source, and the options that select and pin its skills.
pub(super) struct Request<'r> {
    pub(super) project: &'r Project,
    /// The entry of the source, without pin and selection.
    pub(super) source: Source,
    /// The options as if all of them had been typed, and the source as commands name it.
    pub(super) args: Add,
}

impl<'r> Request<'r> {
    /// Reads the arguments. Asks the server for its branches and tags if the argument is a page,
    /// because its address does not say where the name of a branch ends.
    ///
    /// # Errors
    /// If the argument has none of the readings, a local directory has the same name, or an option
    /// contradicts it.
    pub(super) fn read(
        context: &Context<'_>,
        project: &'r Project,
        typed: &Add,
    ) -> Result<Self, Error> {
        let mut typed = own_options(context, typed);
        // As browsers show addresses.
        if [GITHUB, "www.github.com/", "gitlab.com/"]
            .iter()
            .any(|host| typed.source.with_secrets().starts_with(host))
        {
            typed.source = format!("https://{}", typed.source.with_secrets()).as_str().into();
        }
        let text = typed.source.with_secrets();
        let is_path = matches!(text, "." | "..")
            || ["/", "./", "../"].iter().any(|begin| text.starts_with(begin));
        if is_path && !text.starts_with("//") {
            let source = local(context, project, &typed)?;
            return Ok(Self { project, source, args: typed });
        }
        let short_form = on_github(text, &typed).or_else(|| on_skills_sh(text, &typed));
        let plain = text.trim_end_matches('/');
        // A drive letter would make it absolute.
        if !plain.is_empty() && !text.contains(':') && context.start.join(plain).is_dir() {
            let what =
                format!("`{}` is a local directory, but does not start with `./`", typed.source);
            let other = short_form.map(|found| format!(" or `{}` for the repository", found.url));
            let other = other.unwrap_or_default();
            return Err(usage_error(what, format!("use `./{plain}` for the directory{other}")));
        }
        let Found { url, args } = match short_form {
            Some(found) => found,
            None => on_page(context, project, &typed)?,
        };
        let options = args.options();
        let mut fixed = typed.options().into_iter().filter(|(option, _)| *option != "include");
        if fixed.any(|option| !options.contains(&option)) {
            let what = format!("an option contradicts `{}`", typed.source);
            return Err(usage_error(what, format!("run `{}`", args.command())));
        }
        Ok(Self { project, source: in_repository(url, &args), args })
    }
}

/// A repository, and the options as if those that the argument means had been typed.
struct Found {
    url: GitUrl,
    args: Add,
}

impl Found {
    fn new(url: GitUrl, typed: &Add) -> Self {
        Self { args: Add { source: short(&url).into(), ..typed.clone() }, url }
    }

    /// Adds a pin, a path, and a skill that is below the path if there is one. The path is a
    /// directory or the SKILL.md in it.
    fn at(mut self, pin: Pin, path: &str, skill: Option<&str>) -> Self {
        if !pin.is_empty() {
            self.args.pin = pin;
        }
        let path = path.trim_matches('/');
        let page = format!("./{path}");
        let directory = DirPath::new(page.strip_suffix("/SKILL.md").unwrap_or(&page));
        if let (Some(_), Ok(directory), false) = (skill, &directory, path.is_empty())
            && self.args.plugins.is_empty()
        {
            self.args.skills_dir = Some(directory.clone());
        }
        let key = || directory.map_or_else(|_| path.to_owned(), |it| path_key(&it));
        let key = skill.map(str::to_owned).or_else(|| (!path.is_empty()).then(key));
        self.args.include.extend(key);
        self
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
fn on_github(text: &str, typed: &Add) -> Option<Found> {
    let (text, skill) = text.rsplit_once('@').map_or((text, None), |(a, b)| (a, Some(b)));
    let (path, reference) = text.split_once('#').map_or((text, None), |(a, b)| (a, Some(b)));
    let mut parts = path.strip_suffix('/').unwrap_or(path).splitn(3, '/');
    let (owner, name, directory) = (parts.next()?, parts.next()?, parts.next());
    let repository = format!("{owner}/{name}");
    let is_part = |part: &str| {
        let is_other = |c: char| c.is_control() || r"/\@#?*".contains(c);
        !matches!(part, "" | "." | "..") && !part.starts_with('-') && !part.contains(is_other)
    };
    // An owner with a dot is a host.
    let is_valid = is_owner_and_repository(&repository)
        && !owner.contains('.')
        && skill.is_none_or(is_part)
        && directory.is_none_or(|path| path.split('/').all(is_part))
        && reference.is_none_or(|name| directory.is_none() && RefName::new(name).is_ok());
    let url = is_valid.then(|| repository_url(&format!("{GITHUB}{repository}")))?;
    // A version in npm, and hardly the name of a skill.
    let is_version = reference.is_none() && skill == Some("latest");
    let version = is_version.then(|| Pin::version("latest"));
    let pin = reference.map(Pin::reference).or(version).unwrap_or_default();
    let found = Found::new(GitUrl::parse(&url).ok()?, typed);
    Some(found.at(pin, directory.unwrap_or_default(), skill.filter(|_| !is_version)))
}

/// Parses the address of a page of the directory skills.sh, which shows repositories on github.com.
fn on_skills_sh(text: &str, typed: &Add) -> Option<Found> {
    let address = text.trim_start_matches("https://").trim_start_matches("www.");
    let path = address.strip_prefix("skills.sh/")?.split(['?', '#']).next()?;
    let parts: Vec<&str> = path.trim_end_matches('/').splitn(3, '/').collect();
    let text = match parts[..] {
        [owner, name, skill] => format!("{owner}/{name}@{skill}"),
        _ => parts.join("/"),
    };
    on_github(&text, typed)
}

/// Parses the address of a page, or the URL of a repository.
///
/// # Errors
/// If the page shows neither a directory nor a SKILL.md, or no branch or tag has its name, or it is
/// neither on GitHub nor on GitLab.
fn on_page(context: &Context<'_>, project: &Project, args: &Add) -> Result<Found, Error> {
    let typed = &args.source;
    let repository = || parse_url(typed).map(|url| Found::new(url, args));
    let Some(address) = typed.with_secrets().strip_prefix("https://") else { return repository() };
    let (path, query) = split_query(address);
    let path = path.strip_prefix("www.").filter(|it| it.starts_with(GITHUB)).unwrap_or(path);
    let page = match path.starts_with(GITHUB) {
        true => {
            path.match_indices('/').nth(2).map(|(at, _)| path.split_at(at)).or(Some((path, "")))
        }
        false => path.split_once("/-/"),
    };
    let Some((repository, page)) = page else {
        let Some(found) = on_other_host(path, query, args) else { return repository() };
        let what = format!("`{typed}` is a web page, and only those of GitHub and GitLab are read");
        let hint = format!("run `{}`, with `--ref` for another branch", found.args.command());
        return Err(usage_error(what, hint));
    };
    if repository.matches('/').count() < 2 {
        return Err(not_a_source(typed));
    }
    let found = Found::new(parse_url(&repository_url(repository).as_str().into())?, args);
    // Browsers encode characters in the names of branches and directories.
    let page = percent_decode_str(page.trim_matches('/')).decode_utf8_lossy();
    match page.split_once('/') {
        None if page.is_empty() && query.is_empty() => Ok(found),
        Some((kind, rest)) if kind == "tree" || (kind == "blob" && rest.ends_with("/SKILL.md")) => {
            split_page(context, project, found, rest)
        }
        _ => Err(not_a_source(typed).with_hint(format!("run `{}`", found.args.list_command()))),
    }
}

/// Splits an address without its protocol into the path and what follows it.
fn split_query(address: &str) -> (&str, &str) {
    address.split_at(address.find(['?', '#']).unwrap_or(address.len()))
}

/// Parses the address of a page on a host whose pages are not read. Its branch or tag is ignored.
fn on_other_host(path: &str, query: &str, typed: &Add) -> Option<Found> {
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
    let path = percent_decode_str(directory).decode_utf8_lossy();
    let url = GitUrl::parse(&format!("https://{repository}")).ok()?;
    let found = Found::new(url, typed).at(Pin::default(), &path, None);
    Some(found).filter(|_| repository.matches('/').count() > 1)
}

/// Splits the end of a page's address: a branch, tag or commit, whose name may contain `/`, then a
/// directory.
fn split_page(
    context: &Context<'_>,
    project: &Project,
    found: Found,
    rest: &str,
) -> Result<Found, Error> {
    let (first, path) = rest.split_once('/').unwrap_or((rest, ""));
    if let Ok(commit) = first.parse::<ObjectId>() {
        return Ok(found.at(Pin { sha: Some(commit), ..Pin::default() }, path, None));
    }
    let ask = || project.references(&found.url);
    let References { default_branch, branches, tags, .. } =
        context.run("looking for branches and tags", ask)?;
    let full = ["refs/heads/", "refs/tags/"];
    let rest = full.iter().find_map(|prefix| rest.strip_prefix(prefix)).unwrap_or(rest);
    // The longest name is the most specific one.
    let ends = rest.match_indices('/').map(|(at, _)| at).chain([rest.len()]);
    let is_name = |end: &usize| branches.iter().chain(&tags).any(|name| *name == rest[..*end]);
    let Some(end) = ends.rev().find(is_name) else {
        let what = format!("`{}` has no branch or tag with which `{rest}` begins", found.url);
        let default = default_branch.map(|name| format!("the default branch is `{name}`; "));
        let list = found.args.list_command();
        return Err(usage_error(what, format!("{}run `{list}`", default.unwrap_or_default())));
    };
    let (name, path) = rest.split_at(end);
    // The pin of a page of the default branch is the newest release.
    let is_default = default_branch.as_deref() == Some(name);
    Ok(found.at(if is_default { Pin::default() } else { Pin::reference(name) }, path, None))
}

fn repository_url(address: &str) -> String {
    format!("https://{}.git", address.trim_end_matches(".git"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::quoted::quoted;

    fn other_host(address: &str) -> Option<Found> {
        let (path, query) = split_query(address);
        on_other_host(path, query, &Add::default())
    }

    fn command(found: Option<Found>, text: &str) -> String {
        found.unwrap_or_else(|| panic!("{text}")).args.command()
    }

    #[test]
    fn short_forms_are_read_as_options() {
        let typed = &Add::default();
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
            ("o/r@latest", " --version latest"),
            ("o/r#feature/x@y", " --ref feature/x --include y"),
            ("o/r/plugins/p@x", " --skills-dir plugins/p --include x"),
        ] {
            assert_eq!(command(on_github(text, typed), text), format!("skills add o/r{options}"));
        }
        for text in
            ["o", "o/r@a/b", "o/r@", "o/r/../x", "o/r//x", "o/r/-x", "o/r/*", "o/r@..", "o.h/r"]
        {
            assert!(on_github(text, typed).is_none(), "{text}");
        }
        let page = "https://skills.sh/o/r/x";
        assert_eq!(command(on_skills_sh(page, typed), page), "skills add o/r --include x");
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
