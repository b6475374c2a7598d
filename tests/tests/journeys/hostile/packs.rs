//! Packs with false claims, truncated packs and packs that expand.

use super::{Forge, valid_pack};
use helix_skills_tests::{
    Pack,
    forged::{Delta, id},
    skill_md,
};
use serde_json::json;

const BLOB: gix::objs::Kind = gix::objs::Kind::Blob;

/// Returns a pack whose skill `a` has the file `x.md`, which `add` writes and returns the id of.
fn with_file(add: impl FnOnce(&mut Pack) -> String) -> (Vec<u8>, String) {
    let mut pack = Pack::new();
    let md = pack.blob(skill_md("a").as_bytes());
    let x = add(&mut pack);
    let tree = pack.tree(&[("100644", b"SKILL.md", &md), ("100644", b"x.md", &x)]);
    let tip = pack.commit_skill("a", &tree);
    (pack.finish(), tip)
}

#[test]
fn t17_pack_with_false_header_is_refused() {
    let forge = Forge::new();
    let (pack, tip) = valid_pack();
    let whole = pack.finish();
    let mut wrong_sum = whole.clone();
    wrong_sum[whole.len() - 1] ^= 1;
    let mut wrong_byte = whole.clone();
    wrong_byte[whole.len() / 2] ^= 1;
    for (what, pack, says) in [
        ("another checksum", wrong_sum, "the checksum of the pack is wrong"),
        ("another byte", wrong_byte, "the checksum of the pack is wrong"),
        (
            "fewer entries than there are",
            pack.with_claimed_count(4),
            "the pack contains more data than objects",
        ),
        ("more entries than there are", pack.with_claimed_count(7), "no valid entry"),
        ("no entries", Pack::new().finish(), "is missing"),
        ("no pack", b"JUNK\0\0\0\x02\0\0\0\0".repeat(3), "has no valid pack header"),
    ] {
        forge.serve(&tip, &pack);
        let run = forge.is_refused(5, &[says, &forge.server.url("evil")]);
        assert!(run.stderr.starts_with("error: "), "{what}: {run}");
    }
}

#[test]
fn t17_truncated_pack_is_refused() {
    let forge = Forge::new();
    let (pack, tip) = valid_pack();
    let whole = pack.finish();
    for length in
        [0, 4, 11, 12, 13, 40, whole.len() / 2, whole.len() - 21, whole.len() - 20, whole.len() - 1]
    {
        forge.serve(&tip, &whole[..length]);
        forge.is_refused(5, &[&forge.server.url("evil")]);
    }
}

#[test]
fn t17_object_with_another_id_is_missing() {
    let forge = Forge::new();
    let wanted = id(BLOB, b"what the tree names\n");
    let (pack, tip) = with_file(|pack| {
        pack.blob(b"what the server sends\n");
        wanted.clone()
    });
    forge.serve(&tip, &pack);
    forge.is_refused(5, &[&wanted, "is missing"]);
    // A commit whose tree is a file, and a tree whose directory is one.
    let mut pack = Pack::new();
    let file = pack.blob(b"not a tree\n");
    let tip = pack.commit(&file);
    forge.serve(&tip, &pack.finish());
    forge.is_refused(5, &[&file, "is a blob, not a tree"]);
    let tip = pack.commit_skill("a", &file);
    forge.serve(&tip, &pack.finish());
    forge.is_refused(5, &[&file, "is a blob, not a tree"]);
    // A branch that points to a file.
    let text = pack.blob(b"not a commit\n");
    forge.serve(&text, &pack.finish());
    forge.is_refused(2, &[&text, "it is a blob"]);
}

#[test]
fn t17_deltas_without_a_base_are_refused() {
    let forge = Forge::new();
    let (one, two) = (b"one text\n", b"one text\nand another\n");
    for (what, says, add) in [
        (
            "each the base of the other",
            "deltas of the pack have no base",
            &(|pack: &mut Pack| {
                pack.ref_delta(
                    &id(BLOB, one),
                    Delta::new(9, 21).copy(0, 9).insert(b"and another\n"),
                );
                pack.ref_delta(&id(BLOB, two), Delta::new(21, 9).copy(0, 9));
            }) as &dyn Fn(&mut Pack),
        ),
        ("its own base", "has no base", &|pack| pack.ofs_delta(0, Delta::new(9, 9).copy(0, 9))),
        ("in front of the pack", "has no base", &|pack| {
            pack.ofs_delta(1 << 40, Delta::new(9, 9).copy(0, 9))
        }),
        ("in the middle of an entry", "has no base", &|pack| {
            pack.ofs_delta(3, Delta::new(9, 9).copy(0, 9))
        }),
        ("an object that does not exist", "deltas of the pack have no base", &|pack| {
            pack.ref_delta(&"12".repeat(20), Delta::new(9, 9).copy(0, 9));
        }),
    ] {
        let (pack, tip) = with_file(|pack| {
            add(pack);
            id(BLOB, two)
        });
        forge.serve(&tip, &pack);
        let run = forge.is_refused(5, &[says]);
        assert!(run.stderr.contains("the pack"), "{what}: {run}");
    }
}

#[test]
fn t17_deltas_with_false_sizes_are_refused() {
    let forge = Forge::new();
    let base = b"ten bytes\n";
    let gigabytes = 4 << 30;
    for (delta, code, says) in [
        (Delta::new(10, gigabytes).copy(0, 10), 6, "limits.bytesPerFetch"),
        (Delta::new(10, u64::MAX >> 1).copy(0, 10), 6, "limits.bytesPerFetch"),
        (Delta::new(10, 400 << 20).copy(0, 10), 5, "is damaged"),
        (Delta::new(gigabytes, 10).copy(0, 10), 5, "is damaged"),
        (Delta::new(10, 10).copy(5, 10), 5, "is damaged"),
        (Delta::new(10, 10).copy(u32::MAX, 0x00ff_ffff), 5, "is damaged"),
        (Delta::new(10, 5).copy(0, 10), 5, "is damaged"),
        (Delta::new(10, 20).copy(0, 10), 5, "is damaged"),
        (Delta::new(10, 0).insert(b""), 5, "is damaged"),
    ] {
        let (pack, tip) = with_file(|pack| {
            let base = pack.blob(base);
            pack.ref_delta(&base, delta);
            base
        });
        forge.serve(&tip, &pack);
        forge.is_refused(code, &[says]);
    }
}

#[test]
fn t17_pack_over_the_limits_is_refused_early() {
    let forge = Forge::new();
    let (pack, tip) = valid_pack();
    forge.serve(&tip, &pack.with_claimed_count(u32::MAX));
    forge.is_refused(6, &["more than 200000 objects", "limits.objectsPerFetch"]);
    for kind in [1, 2, 3, 4] {
        let mut pack = Pack::new();
        pack.entry(kind, u64::MAX >> 4, &[], b"x");
        forge.serve(&tip, &pack.finish());
        forge.is_refused(6, &["limits.bytesPerFetch"]);
    }
    for (claimed, data) in
        [(4, &b"five\n"[..]), (6, b"five\n"), (1 << 20, b"five\n"), (20 << 20, b"five\n")]
    {
        let mut pack = Pack::new();
        pack.entry(3, claimed, &[], data);
        forge.serve(&tip, &pack.finish());
        forge.is_refused(5, &["is damaged"]);
    }
}

/// A few kilobytes that expand to any size.
#[test]
fn t17_expanding_pack_is_limited() {
    let forge = Forge::new();
    forge.limits(json!({"bytesPerFetch": 1 << 18}));
    let zeros = vec![0; 1 << 18];
    let (pack, tip) = with_file(|pack| {
        let first = pack.blob(&zeros);
        (1..20).for_each(|n| drop(pack.blob(&zeros[n..])));
        first
    });
    assert!(pack.len() < 100_000);
    forge.serve(&tip, &pack);
    forge.is_refused(6, &["more than 262144 bytes in one fetch", "limits.bytesPerFetch"]);
    // The same with deltas, each of which doubles its base.
    let (pack, tip) = with_file(|pack| {
        let mut size = 1 << 10;
        let mut last = pack.blob(&zeros[..size]);
        while size < 4 << 20 {
            let part = u32::try_from(size).expect("a small number").min(0x00ff_ffff);
            let delta = Delta::new(size as u64, 2 * u64::from(part)).copy(0, part).copy(0, part);
            pack.ref_delta(&last, delta);
            size *= 2;
            last = id(BLOB, &vec![0; size]);
        }
        last
    });
    assert!(pack.len() < 10_000);
    forge.serve(&tip, &pack);
    forge.is_refused(6, &["more than 262144 bytes in one fetch", "limits.bytesPerFetch"]);
}
