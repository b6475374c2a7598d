//! What each call of an agent costs with 10, 1,000 and 10,000 baked skills, and how often it
//! allocates:
//!
//! ```console
//! $ cargo bench --manifest-path benches/Cargo.toml --bench runtime
//! ```
//!
//! What is written is written into a buffer, beside a plain copy of the same text. The skills are
//! made up, written to a directory by the build script and baked by `include_skills!`.

use helix_skills::{
    Budget, Call, SkillSet, TextLimit, Toolbox, include_skills, text::BufferTooSmall,
};
use helix_skills_benches::{Dice, Sample, compare, median};
use std::hint::black_box;

include!(concat!(env!("OUT_DIR"), "/sets.rs"));

/// How many calls one time is taken of.
const TIMES: usize = 1000;

fn main() {
    for set in [TEN, THOUSAND, TEN_THOUSAND] {
        println!("\n{} skills", set.len());
        let mut buffer = vec![0; 16 << 20];
        disclosure(set, &mut buffer);
        toolbox(set, &mut buffer);
        json(set);
    }
}

/// The three levels.
fn disclosure(set: SkillSet<'static>, buffer: &mut [u8]) {
    let mut dice = Dice::new(7);
    let names: Vec<&str> = set.names().collect();
    let mut name = || names[dice.below(names.len())];
    let of_all_sizes =
        set.iter().find(|skill| skill.resources().len() == 3).map_or("", |skill| skill.name());

    value("catalog, as &str", || set.catalog().as_str());
    written("catalog", 1, buffer, |buffer| set.catalog().write_into(buffer));
    let asked: Vec<&str> = (0..TIMES).map(|_| name()).collect();
    let mut asked = asked.iter().cycle();
    let mut next = || asked.next().copied().unwrap_or_default();
    value("load_skill", || set.load_skill(next()).is_ok());
    value("load_skill, an unknown name", || set.load_skill("no-such-skill").is_err());
    value("read_skill_file of 1 KiB", || set.read_skill_file(next(), "references/1k.md").is_ok());
    value("read_skill_file of SKILL.md", || set.read_skill_file(next(), "SKILL.md").is_ok());
    let loaded = set.load_skill(of_all_sizes).expect("it is there");
    written("load_skill", TIMES, buffer, |buffer| loaded.write_into(buffer));
    for size in ["1k", "16k", "64k"] {
        let path = format!("references/{size}.md");
        value(&format!("read_skill_file of {size}"), || {
            set.read_skill_file(of_all_sizes, &path).is_ok()
        });
        let file = set.read_skill_file(of_all_sizes, &path).expect("it is there");
        written(&format!("a file of {size}"), TIMES, buffer, |buffer| file.write_into(buffer));
        value(&format!("lines 5 to 10 of {size}"), || file.lines(Some(5), Some(10)).is_ok());
        let lines = file.lines(Some(5), Some(10)).expect("they are there");
        written(&format!("lines 5 to 10 of {size}"), TIMES, buffer, |buffer| {
            lines.write_into(buffer)
        });
    }
    let file = set.read_skill_file(of_all_sizes, "SKILL.md").expect("it is there");
    written("SKILL.md", TIMES, buffer, |buffer| file.write_into(buffer));
}

/// What one agent has of a set: its catalog is rendered, because it is no other's.
fn toolbox(set: SkillSet<'static>, buffer: &mut [u8]) {
    let names: Vec<&str> = set.names().collect();
    let ten: Vec<&str> = names.iter().step_by(names.len() / 10).copied().collect();
    let half: Vec<&str> = names.iter().step_by(2).copied().collect();
    let mut shuffled = half.clone();
    let mut dice = Dice::new(9);
    for at in (1..shuffled.len()).rev() {
        shuffled.swap(at, dice.below(at + 1));
    }
    let all = Toolbox::new(set);
    let budget = Budget::NONE.catalog(TextLimit::Tokens(names.len() * 25));
    for (what, toolbox) in [
        ("allow-list of ten", all.allow(&*ten)),
        ("allow-list of half", all.allow(&*half)),
        ("allow-list of half, in disorder", all.allow(&*shuffled)),
        ("three preloaded", all.preload(&names[..3])),
        ("budget", all.limit(budget)),
        (
            "all three",
            all.allow(&*half).and_then(|it| it.limit(budget)).and_then(|it| it.preload(&half[..3])),
        ),
    ] {
        let toolbox = toolbox.expect("the names are there");
        written(&format!("catalog, {what}"), 1, buffer, |buffer| {
            toolbox.catalog().write_into(buffer)
        });
    }
    time("making a view of half", 1, || all.allow(&*half).is_ok());
    time("making a view of half, in disorder", 1, || all.allow(&*shuffled).is_ok());
    let unknown = all.answer(Call::LoadSkill { name: "no-such-skill", arguments: None });
    written("the answer to an unknown name", 1, buffer, |buffer| unknown.write_into(buffer));
}

/// Calls as a model writes them.
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

/// Prints what a value costs.
fn value<T>(what: &str, make: impl FnMut() -> T) {
    time(what, TIMES, make);
}

fn time<T>(what: &str, times: usize, mut make: impl FnMut() -> T) {
    let mut all = || (0..times).for_each(|_| drop(black_box(make())));
    let nanos = median(&mut all).as_secs_f64() * 1e9 / times as f64;
    println!("{what}: {nanos:.0} ns, {}", allocations(&mut all, times));
}

/// Prints what a text costs, written into a buffer, beside a copy of it.
fn written(
    what: &str,
    times: usize,
    buffer: &mut [u8],
    write: impl for<'b> Fn(&'b mut [u8]) -> Result<&'b str, BufferTooSmall>,
) {
    let text = write(buffer).expect("the buffer is large enough").to_owned();
    let mut copy = vec![0; text.len()];
    let mut all =
        || (0..times).for_each(|_| black_box(write(black_box(&mut *buffer))).map_or((), |_| ()));
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

/// How often something that is done so many times allocates each time.
fn allocations(mut all: impl FnMut(), times: usize) -> String {
    let counted = allocation_counter::measure(&mut all).count_total as f64 / times as f64;
    format!("{counted} allocations")
}
