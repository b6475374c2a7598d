#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| (helix_skills_fuzz::target("origin").body)(input));
