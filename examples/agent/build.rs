//! Proves, before anything is compiled, that manifest, lock and skills agree. Never writes, never uses the network.

fn main() -> Result<(), helix_skills_project::Failure> {
    helix_skills_project::build::check()
}
