//! Errors as values: where they can be passed, and what they print.

use helix_skills_agent::{
    NameTaken,
    run::{RunError, ShapeError},
    shell::{CommandFailure, LiveError},
};
use helix_skills_host::{
    EnabledFileError, Error, MountError, ProcessError, ScriptCallError, ScriptError, SkillPathError,
};
use helix_skills_runtime::{
    CallError, CommandError, DefinitionError, JsonError, NameError, PathError, ResourceError,
    ToolboxError,
};
use std::{io, path::Path};

#[test]
fn errors_are_send_sync_and_static() {
    fn check<E: std::error::Error + Send + Sync + 'static>() {}
    check::<MountError>();
    check::<SkillPathError>();
    check::<EnabledFileError>();
    check::<Error>();
    check::<ProcessError>();
    check::<ScriptCallError>();
    check::<ScriptError>();
    check::<CommandFailure>();
    check::<LiveError>();
    check::<NameTaken>();
    check::<RunError>();
    check::<ShapeError>();
    check::<CallError>();
    check::<CommandError>();
    check::<DefinitionError>();
    check::<JsonError>();
    check::<NameError>();
    check::<PathError>();
    check::<ResourceError>();
    check::<ToolboxError>();
}

#[test]
fn debug_prints_causes_and_alternate_debug_the_structure() {
    let source = io::Error::new(io::ErrorKind::NotFound, "no such file");
    let process = ProcessError::Start { program: Path::new("sh").to_owned(), source };
    let error = ScriptError::Process(process);
    assert_eq!(error.to_string(), "failed to run `sh`");
    assert_eq!(format!("{error:?}"), "failed to run `sh`: no such file");
    assert!(
        format!("{error:#?}")
            .starts_with("Process(\n    Start {\n        program: \"sh\",\n        source: ")
    );
    assert_eq!(format!("{:?}", NameError::Dot), NameError::Dot.to_string());
    assert_eq!(format!("{:#?}", NameError::Dot), "Dot");
}
