//! Checked texts as patterns.
//!
//! A pattern is written for every dialect that editors and libraries have: no looking around, no classes of Unicode.

use crate::{
    DirPath, GitUrl, Integrity, ObjectId, ProjectPath, RefName, RelPath, SkillName, SourceKey,
    manifest::{SourceType, VersionPin},
    marketplace::PluginName,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};
use std::borrow::Cow;

/// `char::is_control`, for the inside of a class.
const CONTROL: &str = r"\x00-\x1f\x7f-\x9f";

/// Texts that are all of a pattern, and where need be none of another.
macro_rules! texts {
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

/// The name of a directory: one part of a path.
pub(crate) struct DirectoryName;

/// A text in one line.
pub(crate) struct OneLine;

/// The beginning of a skill's name.
pub(crate) struct Prefix;

texts! {
    SourceKey as "SourceKey": "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$", None;
    SourceType as "SourceType": "^x-[a-z0-9-]{1,62}$", None;
    ObjectId as "ObjectId": "^([0-9A-Fa-f]{40}|[0-9A-Fa-f]{64})$", None;
    Integrity as "Integrity": "^sha256:[0-9a-f]{64}$", None;
    PluginName as "PluginName": format!(r"^[^/\\{CONTROL}]{{1,128}}$"), Some(DOTS);
    DirectoryName as "DirectoryName": format!(r"^[^/\\{CONTROL}]+$"), Some(DOTS);
    OneLine as "OneLine": format!(r"^[^{CONTROL}]{{1,256}}$"), None;
    SkillName as "SkillName": format!(r"^{BLANK}*{NAME}(\.?{NAME})*{BLANK}*$"), Some(NO_NAME);
    Prefix as "Prefix": format!(r"^({NAME}(\.?{NAME})*\.?)?$"), Some(NO_PREFIX);
    DirPath as "DirPath": format!(r"^((\./)?\./?|\.//|(\./)?{0}(/{0})*/?)$", part()), None;
    ProjectPath as "ProjectPath": format!(r"^(\.\.?/+)*(\.\.?|{0})(/+({0}|\.))*/*$", part()), Some("^[A-Za-z]:|^~|://");
    RelPath as "RelPath": format!(r#"^[^{CONTROL}\\<>:"|?*\u2028\u2029]+$"#), None;
    RefName as "RefName": reference(""), Some(NO_REF);
    VersionPin as "VersionPin": format!(r"^{BLANK}*({}|{}){BLANK}*$", exact(), range()), Some(NO_REF);
    GitUrl as "GitUrl": url("https?"), Some(NO_URL);
}

/// `char::is_whitespace`: what the readers trim. JavaScript's `\s` lacks one.
const BLANK: &str = r"[\s\x85]";

const DOTS: &str = r"^\.\.?$";

/// Urls that lead elsewhere than they seem to: those of servers with a part `.` or `..`, also as `%2e`.
const NO_URL: &str =
    concat!(r"^(https?|ssh)://[^/]+/(.*/)?(\.|%2[Ee]){1,2}(/|$)", r"|^[^/:]+:(/?[^/].*/|/)?(\.|%2[Ee]){1,2}(/|$)");

/// A character of a skill's name but the dot; which letters Unicode has, a pattern cannot say.
const NAME: &str = r"[^\x00-\x2c./\x3a-\x40\x5b-\x5e\x60\x7b-\x9f\s]";

/// Names that Windows takes for devices.
macro_rules! device {
    () => {
        r"([Cc][Oo][Nn]|[Pp][Rr][Nn]|[Aa][Uu][Xx]|[Nn][Uu][Ll]|([Cc][Oo][Mm]|[Ll][Pp][Tt])[0-9¹²³])"
    };
}

/// Such names with any extension, and the ending of listings.
pub(super) const NO_NAME: &str = concat!(r"^[\s\x85]*", device!(), r"([\s\x85]*|\..*)$|\.[Ss][Hh][Aa]256[\s\x85]*$");

/// A prefix after which every name is that of a device.
const NO_PREFIX: &str = concat!("^", device!(), r"\.");

/// Paths that start at a root, leave the skill, or have a part that is git's or that Windows would change.
pub(super) const NO_PATH: &str = r"^[/-]$|^/|//|/$|(^|/)\.\.?(/|$)|[. ](/|$)|(^|/)\.[Gg][Ii][Tt]";

/// What git allows in no ref, beyond characters.
const NO_REF: &str = r"^[\s\x85]*-|\.lock(/|[\s\x85]*$)|@\{|^[\s\x85]*@[\s\x85]*$";

/// The name of a skill, `/`, and the path of a file in it.
pub(super) fn skill_file() -> String {
    format!(r#"^{BLANK}*{NAME}(\.?{NAME})*{BLANK}*/[^{CONTROL}\\<>:"|?*\u2028\u2029]+$"#)
}

/// A part of a path that is neither `.` nor `..`.
fn part() -> String {
    let (first, any) = (format!(r"[^./\\{CONTROL}]"), format!(r"[^/\\{CONTROL}]"));
    format!(r"({first}{any}*|\.{first}{any}*|\.\.{any}+)")
}

/// The parts of a ref, whose characters are none of `more` either.
fn parts_of_reference(more: &str) -> String {
    let c = format!(r"[^./\s~^:?*\[\\{CONTROL}{more}]");
    format!(r"{c}(\.?{c})*(/{c}(\.?{c})*)*")
}

fn reference(more: &str) -> String {
    format!("^{}$", parts_of_reference(more))
}

fn exact() -> String {
    parts_of_reference("<>=,|")
}

/// A range of cargo's kind: what is exact without an operator, a comma or a star is none.
fn range() -> String {
    let words = r"[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*";
    let version = format!(r"[vV]?[0-9]+((\.([0-9]+|[*xX])){{0,2}}|\.[0-9]+\.[0-9]+(-{words})?(\+{words})?)");
    let operator = format!(r"(\^|~|[<>]{BLANK}*=?|=){BLANK}*");
    let comparators = format!(r"({operator})?{version}({BLANK}*,{BLANK}*({operator})?{version})+");
    format!(r"\*|[vV]?[0-9]+(\.[0-9]+)?\.\*(\.\*)?|{operator}{version}|{comparators}")
}

/// The urls of repositories, with these schemes for the web.
fn url(web: &str) -> String {
    let host = r"([A-Za-z0-9._][A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?";
    let any = format!(r"[^\s\\?#{CONTROL}]");
    let path = format!(r"/(/+[^/\s\\?#{CONTROL}]|[^/\s\\?#{CONTROL}-]){any}*");
    let user = "([A-Za-z0-9._+%][A-Za-z0-9._+%-]*@)";
    let web = format!("{web}://{host}{path}");
    let ssh = format!("ssh://{user}?{host}{path}");
    let file =
        format!(r"file:///[^\s\\{CONTROL}]+|\.\.?|(/|\.\.?/)[^/\\{CONTROL}][^\\{CONTROL}]*|\.\.?//*[^\\{CONTROL}]*|/");
    // `host:path`, as scp has it: with a user, or a dot in the host.
    let name = "[A-Za-z0-9._-]";
    let scp = format!(r"({user}[A-Za-z0-9._]{name}*|([A-Za-z0-9_]{name}*)?\.{name}*):[^-:\s\\?#{CONTROL}]{any}*");
    format!("^({web}|{ssh}|{file}|{scp})$")
}

/// Urls that need no `allowInsecure`: plain http goes to this machine.
pub(super) fn secure_url() -> String {
    let loopback = r"http://([Ll][Oo][Cc][Aa][Ll][Hh][Oo][Ss][Tt]|127\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}|\[[0-9A-Fa-f:.]*:0{0,3}1\])[:/]";
    let other = "[^h]|h[^t]|ht[^t]|htt[^p]|http[^:]";
    format!("^({loopback}|{other})")
}

pub(super) fn ref_name() -> Value {
    json!({ "pattern": reference(""), "not": { "pattern": NO_REF } })
}

/// The object `rename`.
pub(crate) struct Renames;

impl JsonSchema for Renames {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Renames".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut names = DirectoryName::json_schema(generator);
        names.remove("type");
        json_schema!({
            "type": "object",
            "propertyNames": names,
            "additionalProperties": SkillName::json_schema(generator),
        })
    }
}

/// The object `files`.
pub(crate) struct Files;

impl JsonSchema for Files {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Files".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let exclude = json!({ "type": "array", "items": { "type": "string", "minLength": 1 } });
        json_schema!({ "type": "object", "properties": { "exclude": exclude }, "additionalProperties": false })
    }
}
