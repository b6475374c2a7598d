//! Ten thousand skills, read by a separate process with a low limit on open files.

use crate::folder::{Folder, block_on};
use helix_skills_agent::Provider;
use helix_skills_runtime::Profile;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant, SystemTime},
};

const SKILLS: usize = 10_000;
/// Maximum number of open files of the process, including the test's own.
const OPEN_FILES: &str = "64";
/// The environment variable with the root, for the separate process.
const ROOT: &str = "HELIX_SKILLS_HOST_TEST_ROOT";
/// Size of each body, a sparse file: reading all of them would read ten gigabytes.
const BODY: u64 = 1 << 20;

#[test]
fn ten_thousand_skills_need_few_open_files_and_no_bodies() {
    if let Some(root) = std::env::var_os(ROOT) {
        println!("{}", inside(&PathBuf::from(root)));
        return;
    }
    let (folder, long_ago) = (Folder::in_memory(), SystemTime::now() - Duration::from_secs(86_400));
    for n in 0..SKILLS {
        let directory = folder.path(&format!("skills/skill-{n:05}"));
        fs::create_dir_all(&directory).unwrap();
        let mut file = fs::File::create(directory.join("SKILL.md")).unwrap();
        write!(file, "---\nname: skill-{n:05}\ndescription: Does the work number {n}. Use when {n} is named.\n---\n")
            .unwrap();
        file.set_len(BODY).unwrap();
        file.set_modified(long_ago).unwrap();
    }
    let run = Command::new("sh")
        .args(["-c", "ulimit -n \"$1\" && shift && exec \"$@\"", "sh", OPEN_FILES])
        .arg(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "many::ten_thousand_skills_need_few_open_files_and_no_bodies",
            "--nocapture",
        ])
        .env(ROOT, folder.path("skills"))
        .output()
        .unwrap();
    let output =
        format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success() && output.contains("1 passed"), "{output}");
    println!("{output}");
}

/// Returns a number from a file in `/proc/self`.
fn number(file: &str, key: &str) -> u64 {
    let text = fs::read_to_string(format!("/proc/self/{file}")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(key)).unwrap();
    line.trim_start_matches(':').split_whitespace().next().unwrap().parse().unwrap()
}

/// Runs in the separate process and measures its cost.
fn inside(root: &Path) -> String {
    let (resident, read) = (number("status", "VmRSS"), number("io", "rchar"));
    let directories = helix_skills_host::Directories::new().root(root).cool_down(Duration::ZERO);
    let start = Instant::now();
    let provided = block_on(directories.list(Profile::Helix)).unwrap();
    let first = start.elapsed();
    assert_eq!((provided.skills.len(), &*provided.warnings), (SKILLS, &[][..]));
    drop(provided);
    let read_first = number("io", "rchar") - read;

    let (read, start) = (number("io", "rchar"), Instant::now());
    assert_eq!(block_on(directories.list(Profile::Helix)).unwrap().skills.len(), SKILLS);
    let again = start.elapsed();
    let read_again = number("io", "rchar") - read;
    assert!(read_again < 1 << 20, "{read_again} bytes were read of unchanged files");
    // The kernel does not count reads of directories here. The first 4 KiB of every file must be
    // enough.
    assert!(read_first <= SKILLS as u64 * 4096 + (1 << 20), "{read_first} bytes were read");
    let peak = number("status", "VmHWM").saturating_sub(resident);
    assert!(peak < 96 << 10, "{peak} KiB of memory");
    format!(
        "{SKILLS} skills: {first:?}, again {again:?}, {read_first} and {read_again} bytes read, {peak} KiB of memory"
    )
}
