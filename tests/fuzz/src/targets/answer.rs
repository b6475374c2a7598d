//! Answers of a git server: a handshake, references and a pack.

use crate::{Target, checks};
use helix_skills_format::RefName;
use helix_skills_project::__internal::fuzzing::{conversation, ingest};
use helix_skills_runtime::is_invisible;

pub(crate) const TARGET: Target = Target {
    name: "answer",
    body,
    seeds,
    words: &[
        "0000",
        "0001",
        "0002",
        "0003",
        "0004",
        "fff0",
        "ffff",
        "\n",
        "\0",
        " ",
        "version 1\n",
        "version 2\n",
        "version 9\n",
        "ls-refs=unborn\n",
        "fetch=shallow filter\n",
        "object-format=sha1\n",
        "object-format=sha256\n",
        "server-option\n",
        "agent=x\n",
        "1111111111111111111111111111111111111111 HEAD",
        "2222222222222222222222222222222222222222 refs/heads/main",
        " symref-target:refs/heads/main",
        " peeled:1111111111111111111111111111111111111111",
        "unborn HEAD",
        "refs/tags/v1^{}",
        "\0multi_ack_detailed side-band-64k shallow no-done symref=HEAD:refs/heads/main\n",
        "capabilities^{}",
        "packfile\n",
        "acknowledgments\n",
        "shallow-info\n",
        "wanted-refs\n",
        "packfile-uris\n",
        "NAK\n",
        "ready\n",
        "ACK ",
        "ACK 1111111111111111111111111111111111111111 common\n",
        "shallow 1111111111111111111111111111111111111111\n",
        "unshallow ",
        "ERR ",
        "\u{1}",
        "\u{2}",
        "\u{3}",
        "\u{1}PACK",
        "\u{1b}[2J",
        "\u{202e}",
        "# service=git-upload-pack\n",
    ],
    max_len: 1500,
    count: 1000,
};

const MAX_BYTES: u64 = 4096;
const MAX_OBJECTS: u64 = 50;

/// First byte of an input that is not split into packets.
const RAW: u8 = b'R';

/// Separates packets in other inputs.
const BETWEEN: u8 = 0xfe;

fn body(input: &[u8]) {
    let Some((how, rest)) = input.split_first() else { return };
    let answer = if *how == RAW { rest.to_vec() } else { framed(rest) };
    let result = conversation(&answer, MAX_BYTES, MAX_OBJECTS);
    assert_eq!(conversation(&answer, MAX_BYTES, MAX_OBJECTS), result, "one answer has two results");
    let conversation = match result {
        Ok(conversation) => conversation,
        Err(message) => return assert_printable(&message),
    };
    match &conversation.refs {
        Ok(names) => {
            for name in names {
                assert!(
                    RefName::new(name).is_ok_and(|checked| checked.as_str() == name),
                    "{name:?}"
                );
            }
        }
        Err(message) => assert_printable(message),
    }
    match &conversation.pack {
        Ok(pack) => {
            assert!(pack.len() as u64 <= MAX_BYTES, "a pack of {} bytes", pack.len());
            if let Ok(ingested) = ingest(pack, u64::MAX, 1 << 16, MAX_BYTES) {
                assert!(ingested.count <= MAX_OBJECTS, "a pack of {} objects", ingested.count);
            }
        }
        Err(message) => assert_printable(message),
    }
}

/// Asserts that a message that may quote a server can be printed.
fn assert_printable(message: &str) {
    checks::assert_one_line(message);
    assert!(!message.contains(is_invisible), "{message:?}");
    assert!(message.len() < 8 << 10, "a message of {} bytes", message.len());
}

/// Frames packets with their correct lengths. Short ones become special packets.
fn framed(input: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for packet in input.split(|byte| *byte == BETWEEN) {
        match packet {
            b"" => out.extend_from_slice(b"0000"),
            b"1" => out.extend_from_slice(b"0001"),
            b"2" => out.extend_from_slice(b"0002"),
            packet => {
                out.extend_from_slice(format!("{:04x}", packet.len() + 4).as_bytes());
                out.extend_from_slice(packet);
            }
        }
    }
    out
}

fn seeds() -> Vec<Vec<u8>> {
    const V2: &[&[u8]] = &[
        b"version 2\n",
        b"agent=x\n",
        b"ls-refs=unborn\n",
        b"fetch=shallow filter\n",
        b"object-format=sha1\n",
        b"",
    ];
    const REFS: &[&[u8]] = &[
        b"1111111111111111111111111111111111111111 HEAD symref-target:refs/heads/main\n",
        b"1111111111111111111111111111111111111111 refs/heads/main\n",
        b"2222222222222222222222222222222222222222 refs/tags/v1 peeled:1111111111111111111111111111111111111111\n",
        b"",
    ];
    const OLD: &[&[u8]] = &[
        b"1111111111111111111111111111111111111111 HEAD\0side-band-64k shallow no-done symref=HEAD:refs/heads/main\n",
        b"1111111111111111111111111111111111111111 refs/heads/main\n",
        b"2222222222222222222222222222222222222222 refs/tags/v1\n",
        b"1111111111111111111111111111111111111111 refs/tags/v1^{}\n",
        b"",
    ];
    const PACK: &[u8] =
        b"\x01PACK\0\0\0\x02\0\0\0\0\x02\x9d\x08\x82\x3b\xd8\xa8\xea\xb5\x10\xad\x6a\xc7\x5c\x82\x3c\xfd\x3e\xd3\x1e";
    let joined = |how: u8, parts: &[&[&[u8]]]| {
        let packets: Vec<&[u8]> = parts.iter().flat_map(|part| part.iter().copied()).collect();
        [&[how], packets.join(&BETWEEN).as_slice()].concat()
    };
    let mut seeds = vec![
        joined(b'P', &[V2, REFS, &[b"packfile\n", b"\x02counting\n", PACK, b"", b""]]),
        joined(
            b'P',
            &[
                V2,
                REFS,
                &[
                    b"acknowledgments\n",
                    b"NAK\n",
                    b"ready\n",
                    b"1",
                    b"shallow-info\n",
                    b"shallow 1111111111111111111111111111111111111111\n",
                    b"1",
                    b"packfile\n",
                    PACK,
                    b"",
                ],
            ],
        ),
        joined(b'P', &[V2, REFS, &[b"packfile\n", b"\x03no such object\n", b""]]),
        joined(b'P', &[V2, REFS, &[b"ERR not yours\n"]]),
        joined(
            b'P',
            &[
                OLD,
                &[b"shallow 1111111111111111111111111111111111111111\n", b"", b"NAK\n", PACK, b""],
            ],
        ),
        joined(b'P', &[&[b"version 1\n"], OLD, &[b"NAK\n", PACK, b""]]),
    ];
    let raw = [&[RAW], framed(&seeds[0][1..]).as_slice()].concat();
    seeds.push(raw);
    seeds
}
