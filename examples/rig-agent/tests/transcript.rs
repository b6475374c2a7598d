//! Checks the output of the example and the number of lines to copy.

use std::process::Command;

#[test]
fn prints_the_transcript() {
    let run = Command::new(env!("CARGO_BIN_EXE_helix-skills-example-rig-agent"))
        .output()
        .unwrap();
    assert!(
        run.status.success() && run.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    let printed = String::from_utf8(run.stdout).unwrap();
    let update = "update it with: cargo run --manifest-path examples/rig-agent/Cargo.toml > examples/rig-agent/transcript.txt";
    assert_eq!(printed, include_str!("../transcript.txt"), "{update}");
}

#[test]
fn copied_part_has_fewer_than_30_lines() {
    let source = include_str!("../src/main.rs");
    let (_, rest) = source.split_once("// ── from here").unwrap();
    let (copied, _) = rest.split_once("// ── to here").unwrap();
    let lines = copied.lines().skip(1).count();
    assert!((15..30).contains(&lines), "{lines} lines");
}
