//! What the documentation of other systems promises, sentence by sentence, in our API.
//!
//! Where we deviate, the test asserts our behavior and names the guide's page that explains it.

mod agentick;
mod deep_agents;
mod deer_flow;
mod helix;
mod skill_use;

use crate::waiting::wait;
use helix_skills::{AsyncToolbox, Provider, Reply};
use serde_json::Value;

/// Calls a tool as a model does.
fn call<P: Provider>(toolbox: &AsyncToolbox<P>, tool: &str, arguments: &Value) -> Reply<'static> {
    wait(toolbox.call(tool, &arguments.to_string())).expect("one of our tools")
}
