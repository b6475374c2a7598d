//! Checked texts as patterns of JSON Schema.
//!
//! The patterns work in all dialects that editors and libraries use: no lookaround, no Unicode
//! classes.

use crate::{
    DirPath, GitUrl, Integrity, ObjectId, ProjectPath, RefName, RelPath, SkillName, SourceKey,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};
use std::borrow::Cow;

/// `char::is_control`, for use in a character class.
pub const CONTROL: &str = r"\x00-\x1f\x7f-\x9f";

/// Implements `JsonSchema` for texts that match a pattern and do not match another one, if given.
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

/// A text on one line.
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

/// `char::is_whitespace`, which the readers trim. JavaScript's `\s` lacks U+0085.
pub const BLANK: &str = r"[\s\x85]";

/// The names of a directory itself and of its parent.
pub const DOTS: &str = r"^\.\.?$";

/// URLs of servers with a part `.` or `..`, also written `%2e`, which lead elsewhere than they seem
/// to, and the scp form with a password.
const NO_URL: &str = concat!(
    r"^(https?|ssh)://[^/]+/(.*/)?(\.|%2[Ee]){1,2}(/|$)",
    r"|^[^/:]+:(/?[^/].*/|/)?(\.|%2[Ee]){1,2}(/|$)",
    r"|^([^/:@]+@)?[^/:@]+:[^/]*@"
);

/// A character of a skill's name except the dot. The pattern does not restrict letters to those of
/// Unicode.
pub const NAME: &str = r"[^\x00-\x2c./\x3a-\x40\x5b-\x5e\x60\x7b-\x9f\s]";

/// Names that Windows reserves for devices.
macro_rules! device {
    () => {
        r"([Cc][Oo][Nn]|[Pp][Rr][Nn]|[Aa][Uu][Xx]|[Nn][Uu][Ll]|([Cc][Oo][Mm]|[Ll][Pp][Tt])[0-9¹²³])"
    };
}

/// Such names with any extension, and names with the ending of listings.
pub const NO_NAME: &str =
    concat!(r"^[\s\x85]*", device!(), r"([\s\x85]*|\..*)$|\.[Ss][Hh][Aa]256[\s\x85]*$");

/// A prefix that makes every name a device name.
pub const NO_PREFIX: &str = concat!("^", device!(), r"\.");

/// Paths that start at a root, leave the skill, or have a part that is reserved by git or changed
/// by Windows.
pub const NO_PATH: &str = r"^[/-]$|^/|//|/$|(^|/)\.\.?(/|$)|[. ](/|$)|(^|/)\.[Gg][Ii][Tt]";

/// Forms that git does not allow in reference names, in addition to characters.
pub const NO_REF: &str = r"^[\s\x85]*-|\.lock(/|[\s\x85]*$)|@\{|^[\s\x85]*@[\s\x85]*$";

/// Returns the pattern of a skill's name, `/`, and the path of a file in it.
#[must_use]
pub fn skill_file() -> String {
    format!(r#"^{BLANK}*{NAME}(\.?{NAME})*{BLANK}*/[^{CONTROL}\\<>:"|?*\u2028\u2029]+$"#)
}

/// Returns the pattern of a path component other than `.` and `..`.
fn part() -> String {
    let (first, any) = (format!(r"[^./\\{CONTROL}]"), format!(r"[^/\\{CONTROL}]"));
    format!(r"({first}{any}*|\.{first}{any}*|\.\.{any}+)")
}

/// Returns the pattern of the components of a reference name, without the characters of `more`.
#[must_use]
pub fn parts_of_reference(more: &str) -> String {
    let c = format!(r"[^./\s~^:?*\[\\{CONTROL}{more}]");
    format!(r"{c}(\.?{c})*(/{c}(\.?{c})*)*")
}

fn reference(more: &str) -> String {
    format!("^{}$", parts_of_reference(more))
}

/// Returns the pattern of repository URLs, with `web` as the pattern of the web schemes.
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
    // The scp form `host:path`: with a user, or with a dot in the host.
    let name = "[A-Za-z0-9._-]";
    let scp = format!(
        r"({user}[A-Za-z0-9._]{name}*|([A-Za-z0-9_]{name}*)?\.{name}*):[^-:\s\\?#{CONTROL}]{any}*"
    );
    format!("^({web}|{ssh}|{file}|{scp})$")
}

/// Returns the pattern of URLs that do not need `allowInsecure`: plain http is for this machine
/// only.
#[must_use]
pub fn secure_url() -> String {
    let loopback = r"http://([Ll][Oo][Cc][Aa][Ll][Hh][Oo][Ss][Tt]|127\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}|\[[0-9A-Fa-f:.]*:0{0,3}1\])[:/]";
    let other = "[^h]|h[^t]|ht[^t]|htt[^p]|http[^:]";
    format!("^({loopback}|{other})")
}

/// Returns the schema of the name of a tag or a branch.
#[must_use]
pub fn ref_name() -> Value {
    json!({ "pattern": reference(""), "not": { "pattern": NO_REF } })
}
