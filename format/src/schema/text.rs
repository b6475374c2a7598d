//! Checked texts as patterns.
//!
//! A pattern is written for every dialect that editors and libraries have: no looking around, no
//! classes of Unicode.

use crate::{
    DirPath, GitUrl, Integrity, ObjectId, ProjectPath, RefName, RelPath, SkillName, SourceKey,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};
use std::borrow::Cow;

/// `char::is_control`, for the inside of a class.
pub const CONTROL: &str = r"\x00-\x1f\x7f-\x9f";

/// Texts that are all of a pattern, and where need be none of another.
#[doc(hidden)]
#[macro_export]
macro_rules! schema_texts {
    ($($type:ty as $name:literal: $pattern:expr, $never:expr;)*) => { $(
        impl JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                let never: Option<&str> = $never;
                match never {
                    Some(never) => {
                        json_schema!({ "type": "string", "pattern": $pattern, "not": { "pattern": never } })
                    }
                    None => json_schema!({ "type": "string", "pattern": $pattern }),
                }
            }
        }
    )* };
}

/// A text in one line.
pub struct OneLine;

schema_texts! {
    SourceKey as "SourceKey": "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$", None;
    ObjectId as "ObjectId": "^([0-9A-Fa-f]{40}|[0-9A-Fa-f]{64})$", None;
    Integrity as "Integrity": "^sha256:[0-9a-f]{64}$", None;
    OneLine as "OneLine": format!(r"^[^{CONTROL}]{{1,256}}$"), None;
    SkillName as "SkillName": format!(r"^{BLANK}*{NAME}(\.?{NAME})*{BLANK}*$"), Some(NO_NAME);
    DirPath as "DirPath": format!(r"^((\./)?\./?|\.//|(\./)?{0}(/{0})*/?)$", part()), None;
    ProjectPath as "ProjectPath": format!(r"^(\.\.?/+)*(\.\.?|{0})(/+({0}|\.))*/*$", part()), Some("^[A-Za-z]:|^~|://");
    RelPath as "RelPath": format!(r#"^[^{CONTROL}\\<>:"|?*\u2028\u2029]+$"#), None;
    RefName as "RefName": reference(""), Some(NO_REF);
    GitUrl as "GitUrl": url("https?"), Some(NO_URL);
}

/// `char::is_whitespace`: what the readers trim. JavaScript's `\s` lacks one.
pub const BLANK: &str = r"[\s\x85]";

/// Names of this directory and the one above.
pub const DOTS: &str = r"^\.\.?$";

/// Urls that lead elsewhere than they seem to: those of servers with a part `.` or `..`, also as
/// `%2e`.
const NO_URL: &str = concat!(
    r"^(https?|ssh)://[^/]+/(.*/)?(\.|%2[Ee]){1,2}(/|$)",
    r"|^[^/:]+:(/?[^/].*/|/)?(\.|%2[Ee]){1,2}(/|$)"
);

/// A character of a skill's name but the dot; which letters Unicode has, a pattern cannot say.
pub const NAME: &str = r"[^\x00-\x2c./\x3a-\x40\x5b-\x5e\x60\x7b-\x9f\s]";

/// Names that Windows takes for devices.
macro_rules! device {
    () => {
        r"([Cc][Oo][Nn]|[Pp][Rr][Nn]|[Aa][Uu][Xx]|[Nn][Uu][Ll]|([Cc][Oo][Mm]|[Ll][Pp][Tt])[0-9¹²³])"
    };
}

/// Such names with any extension, and the ending of listings.
pub const NO_NAME: &str =
    concat!(r"^[\s\x85]*", device!(), r"([\s\x85]*|\..*)$|\.[Ss][Hh][Aa]256[\s\x85]*$");

/// A prefix after which every name is that of a device.
pub const NO_PREFIX: &str = concat!("^", device!(), r"\.");

/// Paths that start at a root, leave the skill, or have a part that is git's or that Windows would
/// change.
pub const NO_PATH: &str = r"^[/-]$|^/|//|/$|(^|/)\.\.?(/|$)|[. ](/|$)|(^|/)\.[Gg][Ii][Tt]";

/// What git allows in no ref, beyond characters.
pub const NO_REF: &str = r"^[\s\x85]*-|\.lock(/|[\s\x85]*$)|@\{|^[\s\x85]*@[\s\x85]*$";

/// The name of a skill, `/`, and the path of a file in it.
#[must_use]
pub fn skill_file() -> String {
    format!(r#"^{BLANK}*{NAME}(\.?{NAME})*{BLANK}*/[^{CONTROL}\\<>:"|?*\u2028\u2029]+$"#)
}

/// A part of a path that is neither `.` nor `..`.
fn part() -> String {
    let (first, any) = (format!(r"[^./\\{CONTROL}]"), format!(r"[^/\\{CONTROL}]"));
    format!(r"({first}{any}*|\.{first}{any}*|\.\.{any}+)")
}

/// The parts of a ref, whose characters are none of `more` either.
#[must_use]
pub fn parts_of_reference(more: &str) -> String {
    let c = format!(r"[^./\s~^:?*\[\\{CONTROL}{more}]");
    format!(r"{c}(\.?{c})*(/{c}(\.?{c})*)*")
}

fn reference(more: &str) -> String {
    format!("^{}$", parts_of_reference(more))
}

/// The urls of repositories, with these schemes for the web.
fn url(web: &str) -> String {
    let host = r"([A-Za-z0-9._][A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?";
    let any = format!(r"[^\s\\?#{CONTROL}]");
    let path = format!(r"/(/+[^/\s\\?#{CONTROL}]|[^/\s\\?#{CONTROL}-]){any}*");
    let user = "([A-Za-z0-9._+%][A-Za-z0-9._+%-]*@)";
    let web = format!("{web}://{host}{path}");
    let ssh = format!("ssh://{user}?{host}{path}");
    let file = format!(
        r"file:///[^\s\\{CONTROL}]+|\.\.?|(/|\.\.?/)[^/\\{CONTROL}][^\\{CONTROL}]*|\.\.?//*[^\\{CONTROL}]*|/"
    );
    // `host:path`, as scp has it: with a user, or a dot in the host.
    let name = "[A-Za-z0-9._-]";
    let scp = format!(
        r"({user}[A-Za-z0-9._]{name}*|([A-Za-z0-9_]{name}*)?\.{name}*):[^-:\s\\?#{CONTROL}]{any}*"
    );
    format!("^({web}|{ssh}|{file}|{scp})$")
}

/// Urls that need no `allowInsecure`: plain http goes to this machine.
#[must_use]
pub fn secure_url() -> String {
    let loopback = r"http://([Ll][Oo][Cc][Aa][Ll][Hh][Oo][Ss][Tt]|127\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}|\[[0-9A-Fa-f:.]*:0{0,3}1\])[:/]";
    let other = "[^h]|h[^t]|ht[^t]|htt[^p]|http[^:]";
    format!("^({loopback}|{other})")
}

/// The name of a tag or a branch.
#[must_use]
pub fn ref_name() -> Value {
    json!({ "pattern": reference(""), "not": { "pattern": NO_REF } })
}
