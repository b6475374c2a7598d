//! Times and allocations of an agent's calls, with 10, 1,000 and 10,000 embedded skills:
//!
//! ```console
//! $ cargo bench --manifest-path benches/Cargo.toml --bench runtime
//! ```
//!
//! Text is written into a buffer, and compared with a plain copy of the same text. The build script
//! generates a directory of skills, which `include_skills!` embeds.

use helix_skills::{Budget, Call, SkillSet, TextLimit, Toolbox, include_skills};
use helix_skills_benches::{Dice, Sample, compare, median};
use std::hint::black_box;

include!(concat!(env!("OUT_DIR"), "/sets.rs"));

/// Number of calls per measurement.
const TIMES: usize = 1000;

fn main() {
    for set in [TEN, THOUSAND, TEN_THOUSAND] {
        println!("\n{} skills", set.len());
        let mut buffer = String::with_capacity(16 << 20);
        disclosure(set, &mut buffer);
        toolbox(set, &mut buffer);
        json(set);
    }
}

/// Measures the three levels.
fn disclosure(set: SkillSet<'static>, buffer: &mut String) {
    let mut dice = Dice::new(7);
    let names: Vec<&str> = set.names().collect();
    let mut name = || names[dice.below(names.len())];
    let with_all_files =
        set.iter().find(|skill| skill.resources().len() == 3).map_or("", |skill| skill.name());

    value("catalog, as &str", || set.catalog().as_str());
    written("catalog", 1, buffer, |buffer| set.catalog().write_to(buffer));
    let requested: Vec<&str> = (0..TIMES).map(|_| name()).collect();
    let mut requested = requested.iter().cycle();
    let mut next = || requested.next().copied().unwrap_or_default();
    value("load_skill", || set.load_skill(next()).is_ok());
    value("load_skill, an unknown name", || set.load_skill("no-such-skill").is_err());
    value("read_skill_file of 1 KiB", || set.read_skill_file(next(), "references/1k.md").is_ok());
    value("read_skill_file of SKILL.md", || set.read_skill_file(next(), "SKILL.md").is_ok());
    let loaded = set.load_skill(with_all_files).expect("the set has it");
    written("load_skill", TIMES, buffer, |buffer| loaded.write_to(buffer));
    for size in ["1k", "16k", "64k"] {
        let path = format!("references/{size}.md");
        value(&format!("read_skill_file of {size}"), || {
            set.read_skill_file(with_all_files, &path).is_ok()
        });
        let file = set.read_skill_file(with_all_files, &path).expect("the set has it");
        written(&format!("a file of {size}"), TIMES, buffer, |buffer| file.write_to(buffer));
        value(&format!("lines 5 to 10 of {size}"), || file.lines(Some(5), Some(10)).is_ok());
        let lines = file.lines(Some(5), Some(10)).expect("the file has them");
        written(&format!("lines 5 to 10 of {size}"), TIMES, buffer, |buffer| {
            lines.write_to(buffer)
        });
    }
    let file = set.read_skill_file(with_all_files, "SKILL.md").expect("the set has it");
    written("SKILL.md", TIMES, buffer, |buffer| file.write_to(buffer));
}

/// Measures toolboxes whose catalogs have to be rendered.
fn toolbox(set: SkillSet<'static>, buffer: &mut String) {
    let names: Vec<&str> = set.names().collect();
    let ten: Vec<&str> = names.iter().step_by(names.len() / 10).copied().collect();
    let half: Vec<&str> = names.iter().step_by(2).copied().collect();
    let mut shuffled = half.clone();
    let mut dice = Dice::new(9);
    for at in (1..shuffled.len()).rev() {
        shuffled.swap(at, dice.below(at + 1));
    }
    let builder = || Toolbox::builder(set);
    let budget = Budget::NONE.catalog(TextLimit::Tokens(names.len() * 25));
    for (what, builder) in [
        ("allow-list of ten", builder().allow(&ten)),
        ("allow-list of half", builder().allow(&half)),
        ("unsorted allow-list of half", builder().allow(&shuffled)),
        ("three preloaded", builder().preload(&names[..3])),
        ("budget", builder().budget(budget)),
        ("all three", builder().allow(&half).budget(budget).preload(&half[..3])),
    ] {
        let toolbox = builder.build().expect("the names are valid");
        written(&format!("catalog, {what}"), 1, buffer, |buffer| {
            toolbox.catalog().write_to(buffer)
        });
    }
    time("building a toolbox, allow-list of half", 1, || builder().allow(&half).build().is_ok());
    time("building a toolbox, unsorted allow-list of half", 1, || {
        builder().allow(&shuffled).build().is_ok()
    });
    let all = Toolbox::new(set);
    let unknown = all.answer(Call::LoadSkill { name: "no-such-skill", arguments: None });
    written("answer to an unknown name", 1, buffer, |buffer| unknown.write_to(buffer));
}

/// Measures calls with JSON arguments.
fn json(set: SkillSet<'static>) {
    let toolbox = Toolbox::new(set);
    let name = set.names().next().unwrap_or_default();
    let load = format!(r#"{{"name": "{name}"}}"#);
    let read = format!(
        r#"{{"name": "{name}", "path": "references/1k.md", "startLine": 2, "endLine": 4}}"#
    );
    for (tool, arguments) in
        [("load_skill", &load), ("read_skill_file", &read), ("load_skill", &"{}".to_owned())]
    {
        value(&format!("call {tool} {arguments}"), || toolbox.call(tool, arguments).is_some());
    }
}

/// Prints the cost of making a value.
fn value<T>(what: &str, make: impl FnMut() -> T) {
    time(what, TIMES, make);
}

fn time<T>(what: &str, times: usize, mut make: impl FnMut() -> T) {
    let mut all = || (0..times).for_each(|_| drop(black_box(make())));
    let nanos = median(&mut all).as_secs_f64() * 1e9 / times as f64;
    println!("{what}: {nanos:.0} ns, {}", allocations(&mut all, times));
}

/// Prints the cost of writing a text into a buffer, and that of a copy.
fn written(
    what: &str,
    times: usize,
    buffer: &mut String,
    write: impl Fn(&mut String) -> std::fmt::Result,
) {
    buffer.clear();
    write(buffer).expect("writing into a string cannot fail");
    let text = buffer.clone();
    let mut copy = vec![0; text.len()];
    let mut all = || {
        (0..times).for_each(|_| {
            buffer.clear();
            let _ = black_box(write(black_box(&mut *buffer)));
        });
    };
    let copies = || {
        (0..times).for_each(|_| black_box(&mut *copy).copy_from_slice(black_box(text.as_bytes())))
    };
    let allocations = allocations(&mut all, times);
    let sample = compare(all, copies);
    print_written(&format!("{what}, {} bytes written", text.len()), &sample, times);
    println!("    {allocations}");
}

fn print_written(what: &str, sample: &Sample, times: usize) {
    sample.print(what, "a copy", times);
}

/// Returns the number of allocations of one of `times` repetitions.
fn allocations(mut all: impl FnMut(), times: usize) -> String {
    let counted = allocation_counter::measure(&mut all).count_total as f64 / times as f64;
    format!("{counted} allocations")
}
