//! Skills that own their text: from a database, a network, a person.

mod lists;
mod parts;
mod resource;
mod skill;
mod skill_set;
mod value;

pub use parts::{PartsBuf, skill_buf};
pub use skill::SkillBuf;
pub use skill_set::SkillSetBuf;
pub use skill_set::{first_of_each_name, view_all};
pub use value::ValueBuf;
