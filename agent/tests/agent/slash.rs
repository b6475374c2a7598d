//! Skills of a provider that a user calls with `/NAME …`.

use crate::wait;
use helix_skills_agent::{AsyncToolbox, BoxFuture, Provided, Provider, shell::ShellContext};
use helix_skills_runtime::{
    Arguments, Event, Profile, Skill, SkillSet, Toolbox, Variables, skill_set,
};

const DEPLOY: Skill =
    Skill::define("deploy", "Deploys.", "Deploy to $0.").disable_model_invocation(true).build();
const PDF: Skill = Skill::define("pdf", "Reads PDF files.", "Read it.").build();
const INNER: Skill = Skill::define("inner", "For models.", "Hush.").user_invocable(false).build();
static SKILLS: SkillSet = skill_set![DEPLOY, PDF, INNER];

const IN: Skill =
    Skill::define("session", "Shows the session.", "In ${CLAUDE_SESSION_ID}.").build();
static SESSION: SkillSet = skill_set![IN];

/// A provider whose listed skill has changed, or is gone, when it is loaded.
struct Changing(Option<Skill>);

impl Provider for Changing {
    fn list<'p>(&'p self, _: Profile) -> BoxFuture<'p, Provided> {
        Box::pin(async { Ok(vec![PDF].into()) })
    }

    fn load<'p>(&'p self, _name: &'p str, _: Profile) -> BoxFuture<'p, Option<Skill>> {
        Box::pin(async { Ok(self.0.clone()) })
    }
}

#[test]
fn users_call_skills_of_a_provider() {
    let toolbox = wait(AsyncToolbox::builder(SKILLS).profile(Profile::Agentick).build()).unwrap();
    let reply = wait(toolbox.slash("/deploy staging")).unwrap();
    assert_eq!(
        (&*reply.to_string(), reply.is_error(), reply.message().map(|message| message.to_string())),
        ("Deploy to staging.", false, None)
    );
    assert_eq!(reply.event(), Some(Event::SkillLoaded { name: "deploy" }));
    assert!(wait(toolbox.slash("/inner")).is_none() && wait(toolbox.slash("deploy")).is_none());

    // With variables of the host.
    let live = ShellContext::without_shell().variables(Variables::new().session("s-1"));
    let toolbox =
        wait(AsyncToolbox::builder(SESSION).profile(Profile::Agentick).shell(live).build())
            .unwrap();
    assert_eq!(wait(toolbox.slash("/session")).unwrap().to_string(), "In s-1.");

    let inner = Skill::define("pdf", "Changed.", "Hush.").user_invocable(false).build();
    for (loaded, why) in
        [(Some(inner), "it is no longer user-invocable"), (None, "it is no longer available")]
    {
        let toolbox = wait(AsyncToolbox::builder(Changing(loaded)).build()).unwrap();
        let reply = wait(toolbox.slash("/pdf")).unwrap();
        assert_eq!(
            (reply.to_string(), reply.is_error()),
            (format!("cannot load the skill `pdf`: {why}"), true)
        );
        let live = ShellContext::without_shell();
        let toolbox =
            wait(AsyncToolbox::builder(Changing(toolbox.provider().0.clone())).shell(live).build())
                .unwrap();
        let other = wait(toolbox.slash("/pdf")).unwrap();
        assert_eq!((other.to_string(), other.is_error()), (reply.to_string(), reply.is_error()));
    }
}

#[test]
fn filled_body_in_a_reply_has_a_size_limit() {
    const REFUSED: &str = "cannot load the skill `log`: with its arguments and variables, its body has more than 16777216 \
                           bytes; pass shorter arguments";
    const LOG: Skill =
        Skill::define("log", "Logs.", "$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0$0").build();
    static LOGS: SkillSet = skill_set![LOG];
    let message = format!("/log {}", "x".repeat(1_000_000));
    let reply = Toolbox::builder(LOGS)
        .profile(Profile::ClaudeCode)
        .build()
        .unwrap()
        .slash(&message)
        .unwrap();
    assert_eq!((&*reply.to_string(), reply.is_error(), reply.event()), (REFUSED, true, None));
}

#[test]
fn users_invoke_skills_with_named_values() {
    const MOVE: Skill =
        Skill::define("move", "Moves files.", "Move $0 to $1.").arguments(&["from", "to"]).build();
    static MOVES: SkillSet = skill_set![MOVE, INNER];
    let toolbox = wait(AsyncToolbox::builder(MOVES).profile(Profile::Agentick).build()).unwrap();
    let values = Arguments::json(r#"{"to": "$0 'new'", "from": "the old one"}"#).unwrap();
    let reply = wait(toolbox.invoke("move", values)).unwrap();
    assert_eq!(reply.to_string(), "Move the old one to $0 'new'.");
    assert!(wait(toolbox.invoke("inner", values)).is_none());
    assert!(wait(toolbox.invoke("missing", Arguments::NONE)).is_none());
}
