//! What the journeys stand on: upstream repositories made with the real git, or byte by byte where git would refuse; a git server
//! on loopback that counts and misbehaves on request, TLS and a proxy before it, a program in the place of `ssh`, and a sandbox that runs the built program and fails when anything outside it was touched.
//!
//! Nothing here knows how the program works: it is started, its exit code, its output and its files are looked at.
//!
//! Two variables of the environment matter to the tests themselves:
//!
//! - `HELIX_SKILLS_TEST_PROGRAM` names a program to test in place of the one that is built, such as an installed release.
//! - `HELIX_MIRROR_HYPERFRAMES` names a bare mirror of github.com/heygen-com/hyperframes, for
//!   `cargo test -p helix-skills-tests --test journeys -- --ignored --nocapture hyperframes`.

pub mod fake_ssh;
pub mod forged;
pub mod git_server;
mod loopback;
pub mod markdown;
pub mod proxy;
pub mod sandbox;
pub mod tls;
pub mod upstream;

pub use fake_ssh::{FakeSsh, SshBehavior, SshCall};
pub use forged::Pack;
pub use git_server::{
    Behavior, Exchange, Fault, GitServer, Login, Made, Redirect, Script, Traffic, Wants,
};
pub use proxy::{Proxy, ProxyRequest};
pub use sandbox::{Run, Running, Sandbox, Snapshot};
pub use tls::{Authority, TlsFront};
pub use upstream::{Change, Upstream, skill_md};
