//! The short forms of other programs after `skills add`.

use super::pasted::{GITHUB, Pasted};
use serde_json::json;

#[test]
fn reference_and_skill_are_both_taken() {
    let pasted = Pasted::new();
    for source in ["someone/tools#dev@late", "github:someone/tools#dev@late"] {
        pasted.adds(&[source], GITHUB, json!({"ref": "dev", "include": ["late"]}));
    }
    // A tag may have a name of this form.
    pasted.upstream.tag("tools@2.0.0");
    pasted.adds(&["someone/tools#tools@2.0.0"], GITHUB, json!({"ref": "tools@2.0.0"}));
    let alpha = json!({"ref": "tools@2.0.0", "include": ["alpha"]});
    pasted.adds(&["someone/tools#tools@2.0.0@alpha"], GITHUB, alpha);
    pasted.refuses(&["someone/tools#dev@lat"], &["`include` names `lat`", "did you mean `late`?"]);
}

#[test]
fn repositories_of_other_forges_have_short_forms() {
    let pasted = Pasted::new();
    let url = "https://gitlab.com/someone/tools.git";
    pasted.adds(&["gitlab:someone/tools"], url, json!({"version": "1.2.0"}));
    pasted.adds(&["gitlab:someone/tools#dev"], url, json!({"ref": "dev"}));
    let late = json!({"ref": "dev", "include": ["late"]});
    pasted.adds(&["gitlab:someone/tools.git#dev@late"], url, late);
    let alpha = json!({"version": "1.2.0", "include": ["alpha"]});
    pasted.adds(&["gitlab:someone/tools@alpha"], url, alpha);
    let url = "https://bitbucket.org/someone/tools.git";
    pasted.adds(&["bitbucket:someone/tools"], url, json!({"version": "1.2.0"}));
    for other in ["gitlab:tools", "gitlab:../tools/x", "gitea:someone/tools"] {
        pasted.refuses(&[other], &["it is neither a URL nor a path"]);
    }
}
