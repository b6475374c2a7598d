//! A server with a tool of its own, to which two lines add skills.

use helix_skills_mcp::{SkillServer, rmcp};
use rmcp::{
    ServerHandler, handler::server::wrapper::Parameters, schemars, tool, tool_handler, tool_router,
};

helix_skills::include_skills!(mod skills, "../examples/agent");

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Place {
    city: String,
}

#[derive(Clone)]
struct Weather;

#[tool_router]
impl Weather {
    /// Returns the weather of a city.
    #[tool]
    async fn get_weather(&self, Parameters(place): Parameters<Place>) -> String {
        format!("It rains in {}.", place.city)
    }
}

#[tool_handler(instructions = "Ask for the weather of one city at a time.")]
impl ServerHandler for Weather {}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    SkillServer::around(Weather, skills::TOOLBOX)?.serve_stdio().await
}
