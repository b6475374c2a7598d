//! Checks that manifest, lockfile and skills agree before anything is compiled. Never writes and
//! never uses the network.

fn main() -> Result<(), helix_skills_project::Error> {
    helix_skills_project::build::check()
}
