//! `skills test`: whether queries find the skills that they should, by our search or by a command.
//!
//! The queries are in a file of each skill, in the form of Anthropic's `skill-creator`.

mod judge;

use super::{Context, args, local, table::table, usage_error::usage_error};
use console::truncate_str;
use helix_skills_format::__internal::listed;
use helix_skills_project::{
    __internal::{LocalSkill, with_slashes},
    Error, ErrorKind,
};
use helix_skills_runtime::{IndexOptions, OneLine, SearchOptions, Skill, SkillSet};
use judge::Judge;
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The names of the file with queries. The first one that a skill has is read.
const FILES: [&str; 4] = [
    "evals/triggers.json",
    "evals/trigger-eval.json",
    "evals/trigger_eval.json",
    "evals/trigger_evals.json",
];

/// The hint if no file is found, or a file has another form.
const FORM: &str = r#"write `[{"query": "fill in this form", "should_trigger": true}]`"#;

/// Maximum number of skills without queries that are named.
const MAX_NAMED: usize = 5;

/// Maximum width of a query or an answer in a line about it.
const MAX_TEXT: usize = 100;

/// A skill with its queries.
struct Tested<'s> {
    skill: &'s Skill,
    file: PathBuf,
    queries: Vec<Query>,
}

/// A query, whether it should trigger the skill, and what a search or a command chose for it.
struct Query {
    text: String,
    should_trigger: bool,
    /// The name of the best hit, or what the command printed.
    chosen: Option<String>,
    /// The score of the best hit.
    score: Option<f64>,
    /// The rank and the score of the tested skill among the hits.
    own: Option<(usize, f64)>,
    /// Whether the command printed something else than the name of a skill.
    is_unclear: bool,
}

pub(super) fn test(context: &Context<'_>, args: &args::Test) -> Result<Option<ErrorKind>, Error> {
    let output = context.output;
    let (skills, files) = read(context, args)?;
    let set = SkillSet::new(&skills);
    let (mut tested, mut untested, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    for (skill, file) in set.iter().zip(files) {
        match file.map(|file| Ok((queries(context, &file)?, file))) {
            None => untested.push(skill.name()),
            Some(Ok((queries, file))) => tested.push(Tested { skill, file, queries }),
            Some(Err(error)) => errors.push(error),
        }
    }
    Error::unless_empty(errors)?;
    if tested.is_empty() {
        return Err(usage_error(format!("no skill has a file `{}`", FILES[0]), FORM));
    }
    context.run("testing", || choose(context, args, set, &mut tested))?;
    let (mut rows, mut documents, mut total, mut failed) = (Vec::new(), Vec::new(), 0, 0);
    for Tested { skill, file, queries } in &tested {
        let count = |should_trigger: bool| {
            let these = queries.iter().filter(|query| query.should_trigger == should_trigger);
            let passed = these.clone().filter(|query| query.passes(skill)).count();
            format!("{passed} of {}", these.count())
        };
        let wrong: Vec<_> = queries.iter().filter(|query| !query.passes(skill)).collect();
        (total, failed) = (total + queries.len(), failed + wrong.len());
        let shown = if output.verbose > 0 { queries.iter().collect() } else { wrong };
        let lines = shown.iter().map(|query| query.line(skill)).collect();
        rows.push(([skill.name().to_owned(), count(true), count(false)], lines));
        documents.push(json!({
            "name": skill.name(),
            "file": file.display().to_string(),
            "queries": queries.iter().map(|query| query.json(skill)).collect::<Vec<_>>(),
        }));
    }
    let kind = (failed > 0).then_some(ErrorKind::Drift);
    let titles = ["skill", "should trigger", "should not"];
    output.data(&table(titles, 2, &rows, args.table.width()));
    if !untested.is_empty() {
        output.note("note:", format!("without queries: {}", listed(&untested, MAX_NAMED)));
    }
    let (label, count) = if failed == 0 { ("passed", total) } else { ("failed", failed) };
    output.note(label, format!("{count} of {total} queries"));
    let fields = json!({
        "with": args.with,
        "passed": total - failed,
        "failed": failed,
        "skills": documents,
        "untested": untested,
    });
    output.verdict(kind, fields);
    Ok(kind)
}

/// Returns the skills, and for each of them its file with queries.
fn read(
    context: &Context<'_>,
    args: &args::Test,
) -> Result<(Vec<Skill>, Vec<Option<PathBuf>>), Error> {
    let name = |skill: &Skill| FILES.into_iter().find(|file| skill.resource(file).is_some());
    if let Some(directory) = &args.dir {
        let found = local::read(context, directory)?.skills.into_iter();
        let found = found.map(|LocalSkill { skill, directory, .. }| {
            let file = name(&skill).map(|file| with_slashes(&directory.join(file)));
            (skill, file)
        });
        return Ok(found.unzip());
    }
    let (project, lock, skills) = local::locked(context, "test", "")?;
    let files = skills.iter().zip(lock.skills.keys()).map(|(skill, key)| {
        let Some(file) = name(skill) else { return Ok(None) };
        let file = project.skill_directory(&lock, key)?.join(file);
        Ok(Some(with_slashes(file.strip_prefix(&context.start).unwrap_or(&file))))
    });
    let files = files.collect::<Result<_, Error>>()?;
    Ok((skills, files))
}

/// Reads a file with queries. Other keys than the two are allowed.
fn queries(context: &Context<'_>, file: &Path) -> Result<Vec<Query>, Error> {
    let invalid = |why: String| usage_error(format!("invalid `{}`: {why}", file.display()), FORM);
    let text = fs::read_to_string(context.start.join(file)).map_err(Error::read(file))?;
    let value: Value = serde_json::from_str(&text).map_err(|error| invalid(error.to_string()))?;
    let entries = value.as_array().ok_or_else(|| invalid("expected a JSON array".to_owned()))?;
    let queries = entries.iter().enumerate().map(|(at, entry)| {
        let wrong = |key: &str, expected: &str| {
            let found = match &entry[key] {
                Value::Null => "missing".to_owned(),
                value => format!("`{value}`"),
            };
            invalid(format!("`[{at}].{key}` is {found}, expected {expected}"))
        };
        let text = entry["query"].as_str().filter(|text| !text.trim().is_empty());
        let text = text.ok_or_else(|| wrong("query", "the message of a user"))?.to_owned();
        let should_trigger = entry["should_trigger"].as_bool();
        let should_trigger =
            should_trigger.ok_or_else(|| wrong("should_trigger", "`true` or `false`"))?;
        let (chosen, score, own) = (None, None, None);
        Ok(Query { text, should_trigger, chosen, score, own, is_unclear: false })
    });
    queries.collect()
}

/// Chooses a skill for each query.
fn choose(
    context: &Context<'_>,
    args: &args::Test,
    set: SkillSet<'_>,
    tested: &mut [Tested<'_>],
) -> Result<(), Error> {
    let judge = args.with.as_deref().map(|command| Judge::new(context, command, args.timeout, set));
    // The hits of `SkillSet::search` with the index that `include_skills!` embeds.
    let index = set.index(&IndexOptions::new());
    let set = set.with_index(&index);
    let total: usize = tested.iter().map(|tested| tested.queries.len()).sum();
    let queries = tested
        .iter_mut()
        .flat_map(|Tested { skill, queries, .. }| queries.iter_mut().map(|query| (*skill, query)));
    for (number, (skill, query)) in (1..).zip(queries) {
        if let Some(judge) = &judge {
            context.screen.message(format!("asking the command, {number} of {total}"));
            query.chosen = judge.choose(&query.text)?;
            query.is_unclear = query.chosen.as_deref().is_some_and(|name| set.get(name).is_none());
            continue;
        }
        let hits = set.search(&query.text, &SearchOptions::new().limit(set.len()));
        let own = hits.iter().zip(1..).find(|(hit, _)| hit.skill.name() == skill.name());
        query.chosen = hits.first().map(|hit| hit.skill.name().to_owned());
        query.score = hits.first().map(|hit| hit.score);
        query.own = own.map(|(hit, rank)| (rank, hit.score));
    }
    Ok(())
}

impl Query {
    /// Returns whether the skill was chosen for a query that should trigger it, or was not chosen
    /// for one that should not.
    fn passes(&self, skill: &Skill) -> bool {
        let is_chosen = self.chosen.as_deref() == Some(skill.name());
        !self.is_unclear && is_chosen == self.should_trigger
    }

    /// Returns a line about the query: `missed: fill in this -> docx 2.10; pdf is hit 3, 0.84`.
    fn line(&self, skill: &Skill) -> String {
        let label = match (self.passes(skill), self.should_trigger) {
            (true, _) => "ok",
            _ if self.is_unclear => "unclear",
            (false, true) => "missed",
            (false, false) => "unwanted",
        };
        let chosen = self.chosen.as_deref().map_or_else(|| "no skill".to_owned(), one_line);
        let score = self.score.map(|score| format!(" {score:.2}")).unwrap_or_default();
        let own = self.own.filter(|(rank, _)| *rank > 1);
        let own = own.map(|(rank, own)| format!("; {} is hit {rank}, {own:.2}", skill.name()));
        let own = own.unwrap_or_default();
        format!("{label}: {} -> {chosen}{score}{own}", one_line(&self.text))
    }

    fn json(&self, skill: &Skill) -> Value {
        json!({
            "query": self.text,
            "shouldTrigger": self.should_trigger,
            "passed": self.passes(skill),
            "chosen": self.chosen,
            "chosenScore": self.score,
            "rank": self.own.map(|(rank, _)| rank),
            "score": self.own.map(|(_, score)| score),
        })
    }
}

/// Returns a text in one line, cut to at most [`MAX_TEXT`] columns.
fn one_line(text: &str) -> String {
    truncate_str(&OneLine(text).to_string(), MAX_TEXT, "…").into_owned()
}
