//! A server with embedded skills and nothing else, on stdin and stdout.

helix_skills::include_skills!(mod skills, "../examples/agent");

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    helix_skills_mcp::serve_stdio(skills::TOOLBOX).await
}
