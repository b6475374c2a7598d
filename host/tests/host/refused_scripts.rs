//! Scripts that never run, whatever interpreters a host names.

use crate::folder::{Folder, block_on};
use helix_skills_agent::{__internal::Scripts, Provider};
use helix_skills_host::ScriptRunner;
use helix_skills_runtime::Profile;

#[test]
fn batch_files_and_powershell_scripts_are_refused() {
    let folder = Folder::new();
    folder.skill("skills/tool", "tool", "Runs things.");
    for name in ["a.bat", "b.CMD", "c.ps1", "d.py"] {
        folder.write(&format!("skills/tool/scripts/{name}"), "");
    }
    let directories = folder.directories(&["skills"]);
    let skill = block_on(directories.load("tool", Profile::Helix)).unwrap().unwrap();
    let program = std::env::current_exe().unwrap();
    let extensions = ["bat", "CMD", "ps1"];
    let runner = extensions
        .iter()
        .fold(ScriptRunner::new(), |runner, extension| runner.interpreter(*extension, &program));
    let refused = |name: &str| {
        let call = serde_json::json!({"skill_name": "tool", "script_name": name});
        let directory = Box::pin(async { panic!("it is not run") });
        block_on(runner.run(&skill, directory, Profile::SkillUse, &call.to_string()))
            .unwrap_err()
            .to_string()
    };
    for name in ["a.bat", "b.CMD", "c.ps1"] {
        assert_eq!(
            refused(name),
            format!(
                "cannot run `{name}`: batch files and PowerShell scripts are not run, because their \
                 interpreters expand the arguments"
            )
        );
    }
    assert_eq!(
        refused("e.bat"),
        "the skill `tool` has no script `e.bat`; its scripts are `scripts/d.py`"
    );
}
