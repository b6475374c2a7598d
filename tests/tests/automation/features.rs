//! `docs/dev/features.md`: the features and the tests that verify them.

use crate::{
    checkout::text,
    test_tables::{has_test, names, table},
};

const PAGE: &str = "docs/dev/features.md";

#[test]
fn features_name_tests_that_exist() {
    let page = text(PAGE);
    let files: Vec<&str> =
        page.lines().filter_map(|line| line.strip_prefix("## `")?.strip_suffix('`')).collect();
    assert!(!files.is_empty(), "{PAGE} has no section of a file");
    let mut missing = Vec::new();
    for file in files {
        let source = text(file);
        for cells in table(PAGE, &format!("## `{file}`")) {
            let [feature, tests] = &cells[..] else {
                panic!("{PAGE}: expected a feature and its tests, found {cells:?}")
            };
            assert!(!feature.is_empty(), "{PAGE}: a row of {file} has no feature");
            let absent = names(tests).into_iter().filter(|test| !has_test(&source, test));
            missing.extend(absent.map(|test| format!("{file}: {test}")));
        }
    }
    assert!(missing.is_empty(), "tests that {PAGE} names and that do not exist: {missing:#?}");
}
