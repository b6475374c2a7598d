//! Harness of the integration tests: upstream repositories made with the real git, or byte by byte
//! where git would refuse; a git server on loopback that counts requests and misbehaves on request;
//! TLS and a proxy in front of it; a stand-in for `ssh`; and a sandbox that runs the built program.
//!
//! The harness uses the program only from outside: it starts it and inspects exit code, output and
//! files.
//!
//! The test binaries are `journeys` (the built program), `consumers` (crates with embedded skills,
//! compiled by cargo), `library` (the public API of `project`), `automation` (the scripts, pages
//! and workflows around the program), `powershell` (the installer for Windows) and `harness` (this
//! library).
//!
//! Environment variables configure the tests:
//!
//! - `HELIX_SKILLS_TEST_PROGRAM`: path of a program to test instead of the one built here, such as
//!   an installed release.
//! - `HELIX_SKILLS_TEST_WINE`: set if that program is for Windows, and runs under Wine.
//! - `HELIX_MIRROR_HYPERFRAMES`: path of a bare mirror of github.com/heygen-com/hyperframes, for
//!   `cargo test -p helix-skills-tests --test journeys -- --ignored --nocapture hyperframes`.
//! - `HELIX_MIRRORS`: directory of bare mirrors of marketplaces, for the same command with
//!   `mirrors`.
//! - `HELIX_CONFORMANCE`: file of recorded cases of other systems, in place of the few here.

pub mod fake_ssh;
pub mod forged;
pub mod git_server;
mod loopback;
pub mod markdown;
pub mod proxy;
pub mod releases;
pub mod sandbox;
pub mod tls;
pub mod upstream;

pub use fake_ssh::{FakeSsh, SshBehavior, SshCall};
pub use forged::Pack;
pub use git_server::{
    Behavior, Exchange, Fault, GitServer, Login, Redirect, Script, ScriptedAnswer, Traffic, Wants,
};
pub use proxy::{Proxy, ProxyRequest};
pub use releases::Releases;
pub use sandbox::{Run, Running, Sandbox, Snapshot};
pub use tls::{Authority, TlsFront};
pub use upstream::{Change, Upstream, skill_md};

/// The manifest of the project's initial specification.
pub const HYPERFRAMES: &str = r#"{
  "skills": {
    "hyperframes": {
      "type": "git",
      "url": "https://github.com/heygen-com/hyperframes.git",
      "version": "0.6.70",
      "include": ["hyperframes", "hyperframes-media"]
    }
  }
}
"#;
