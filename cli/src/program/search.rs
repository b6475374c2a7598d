//! `skills search`: ranks locked skills as `SkillSet::search` does. No match is a success.

use super::usage_error::usage_error;
use super::{Context, args, inspect::NO_SKILLS, local, table::table};
use helix_skills_project::Error;
use helix_skills_runtime::{Hit, IndexOptions, OneLine, SearchOptions, Skill, SkillSet};
use serde_json::json;
use std::path::{Component, Path};

pub(super) fn search(context: &Context<'_>, args: &args::Search) -> Result<(), Error> {
    let output = context.output;
    let (directory, words) = match args.query.split_first() {
        // Without the dot, it may be a part of the query, such as `CI/CD`.
        Some((first, words))
            if local::is_path(first) && (has_dot(first) || context.start.join(first).is_dir()) =>
        {
            (Some(Path::new(first)), words)
        }
        _ => (None, args.query.as_slice()),
    };
    let query = words.join(" ");
    if query.trim().is_empty() {
        let hint = "describe the task: `skills search deploy a container`";
        return Err(usage_error("the query is empty", hint));
    }
    let skills: Vec<Skill> = match directory {
        Some(directory) => {
            local::read(context, directory)?.skills.into_iter().map(|skill| skill.skill).collect()
        }
        None => {
            let project = context.project_or("search")?;
            let lock = project.require_lock()?;
            project.read_skills(&lock, |_| true).map_err(|failure| {
                let command = |directory: &str| format!("skills search {directory} {query}");
                local::explain_edited(context, &project, &lock, command, failure)
            })?
        }
    };
    let set = SkillSet::new(&skills);
    // The hits of `SkillSet::search` with the index that `include_skills!` embeds.
    let index = set.index(&IndexOptions::new());
    let options = SearchOptions::new().limit(args.most.get());
    let hits = set.with_index(&index).search(&query, &options);
    if set.is_empty() {
        output.note("note:", NO_SKILLS);
    } else if hits.is_empty() {
        let text = format!("no skill matches `{query}`; only names and descriptions are searched");
        output.note("note:", text);
    } else {
        let row = |hit: &Hit<'_>| {
            let description = OneLine(hit.skill.description()).to_string();
            ([hit.skill.name().to_owned(), format!("{:.2}", hit.score), description], Vec::new())
        };
        let rows: Vec<_> = hits.iter().map(row).collect();
        let titles = ["skill", "score", "description"];
        output.data(&table(titles, 2, &rows, args.table.width()));
    }
    let document = |Hit { skill, score }: &Hit<'_>| json!({ "name": skill.name(), "score": score, "description": skill.description() });
    let documents: Vec<_> = hits.iter().map(document).collect();
    output.document(json!({ "query": query, "skills": documents }));
    Ok(())
}

/// Returns whether a path begins with `./` or `../`.
fn has_dot(path: &str) -> bool {
    let first = Path::new(path).components().next();
    matches!(first, Some(Component::CurDir | Component::ParentDir))
}
