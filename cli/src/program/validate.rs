//! `skills validate`

use super::{Context, args, local::tokens_json, output::Output};
use helix_skills_format::{
    __internal::{counted, listed},
    Severity,
};
use helix_skills_lint::report;
use helix_skills_project::{
    __internal::SkillTokens,
    Error, ErrorKind,
    validate::{self, Report, Rules},
};
use serde_json::{Value, json};

pub(super) fn validate(
    context: &Context<'_>,
    args: &args::Validate,
) -> Result<Option<ErrorKind>, Error> {
    let output = context.output;
    let rules = args.profile.map_or(args.spec, Rules::Profile);
    // Skills need no project, unless a manifest is named.
    let report = match context.project_if_any() {
        Ok(Some(project)) => project.validate(&args.paths, rules)?,
        Err(failure) if args.paths.is_empty() => return Err(failure),
        _ => validate::validate(&context.start, &args.paths, rules)?,
    };
    let (errors, warnings) = (report.count(Severity::Error), report.count(Severity::Warning));
    let is_bad = errors > 0 || (args.deny_warnings && warnings > 0);
    let kind = is_bad.then_some(ErrorKind::Drift);
    if args.sarif {
        output.exact(&report::sarif(report.findings()));
    } else {
        output.data(&report::text(report.findings()));
    }
    if !report.linked.is_empty() {
        output.warning(&skipped_links(&report.linked));
    }
    output.verdict(kind, || document(&report, errors, warnings));
    let skills = counted(report.skills.len(), "skill");
    let summary = match (errors, warnings) {
        (0, 0) => format!("{skills}, no problems found"),
        _ => format!("{skills}: {}, {}", counted(errors, "error"), counted(warnings, "warning")),
    };
    output.note(if kind.is_none() { "ok" } else { "validated" }, summary);
    print_tokens(output, &report);
    Ok(kind)
}

/// Prints what the skills cost a model: one line in all, with `-v` one for each skill.
fn print_tokens(output: &Output, report: &Report) {
    let known = || report.skills.iter().filter_map(|skill| Some((skill, skill.tokens?)));
    if known().count() == 0 {
        return;
    }
    let [description, body] = known().fold([0, 0], |[description, body], (_, tokens)| {
        [description + tokens.description, body + tokens.body]
    });
    output.note("tokens", format!("about {description} of descriptions, {body} of bodies"));
    for (skill, SkillTokens { description, body, .. }) in known() {
        output.detail(&format!("  {}: {description} + {body} tokens", skill.file));
    }
}

/// Returns the warning on skills that are skipped because they are links.
fn skipped_links(linked: &[String]) -> String {
    /// Maximum number of directories that the warning names.
    const MAX_NAMED: usize = 5;
    let (count, named) = (counted(linked.len(), "linked skill"), listed(linked, MAX_NAMED));
    format!("{count} skipped: {named}; links to skills are followed only if they are named")
}

fn document(report: &Report, errors: usize, warnings: usize) -> Value {
    json!({
        "counts": { "skills": report.skills.len(), "errors": errors, "warnings": warnings },
        "findings": report.findings().collect::<Vec<_>>(),
        "skills": report.skills.iter().map(|skill| {
            json!({ "file": skill.file, "tokens": skill.tokens.map(tokens_json) })
        }).collect::<Vec<_>>(),
        "linked": report.linked,
    })
}
