//! Parser for `~/.netrc`, compatible with curl and git.

/// Finds the first entry with a password whose machine `fits`, or else the `default` entry if
/// `takes_default`. Returns the user name, which is empty if the entry has none, and the password.
///
/// Values may be quoted; `#` starts a comment in place of a keyword; `macdef` bodies end at an
/// empty line.
pub(super) fn find(
    text: &str,
    fits: impl Fn(&str) -> bool,
    takes_default: bool,
) -> Option<(String, String)> {
    let mut tokens = Tokens { rest: text };
    let mut entry = NetrcEntry::default();
    while let Some(keyword) = tokens.keyword() {
        match keyword.as_str() {
            "machine" | "default" => {
                if let Some(found) = entry.into_login() {
                    return Some(found);
                }
                let is_ours =
                    if keyword == "machine" { fits(&tokens.value()?) } else { takes_default };
                entry = NetrcEntry { is_ours, ..NetrcEntry::default() };
            }
            "macdef" => tokens.skip_macro(),
            word => {
                let value = tokens.value()?;
                match word {
                    "login" | "user" => entry.login = value,
                    "password" => entry.password = Some(value),
                    _ => {}
                }
            }
        }
    }
    entry.into_login()
}

/// An entry. What precedes the first one belongs to no machine.
#[derive(Default)]
struct NetrcEntry {
    is_ours: bool,
    login: String,
    password: Option<String>,
}

impl NetrcEntry {
    fn into_login(self) -> Option<(String, String)> {
        let password = self.password.filter(|_| self.is_ours)?;
        Some((self.login, password))
    }
}

struct Tokens<'a> {
    rest: &'a str,
}

impl Tokens<'_> {
    fn keyword(&mut self) -> Option<String> {
        loop {
            self.rest = self.rest.trim_start();
            if !self.rest.starts_with('#') {
                return self.value();
            }
            self.rest = self.rest.find('\n').map_or("", |end| &self.rest[end..]);
        }
    }

    fn value(&mut self) -> Option<String> {
        self.rest = self.rest.trim_start();
        if let Some(quoted) = self.rest.strip_prefix('"') {
            return self.quoted(quoted);
        }
        let end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
        let (value, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!value.is_empty()).then(|| value.to_owned())
    }

    fn quoted(&mut self, quoted: &str) -> Option<String> {
        let mut value = String::new();
        let mut characters = quoted.char_indices();
        while let Some((at, c)) = characters.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[at + 2..];
                    return Some(value);
                }
                '\\' => match characters.next()?.1 {
                    'n' => value.push('\n'),
                    't' => value.push('\t'),
                    'r' => value.push('\r'),
                    other => value.push(other),
                },
                _ => value.push(c),
            }
        }
        None
    }

    fn skip_macro(&mut self) {
        let end = ["\n\n", "\n\r\n"].iter().filter_map(|gap| self.rest.find(gap)).min();
        self.rest = end.map_or("", |end| &self.rest[end..]);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn names(name: &str, host: &str) -> bool {
        name.eq_ignore_ascii_case(host) || name.eq_ignore_ascii_case(&format!("{host}:8080"))
    }

    fn login(text: &str, host: &str) -> Option<(String, String)> {
        find(text, |name| names(name, host), true)
    }

    #[test]
    fn the_first_entry_of_the_host_wins() {
        let text = "# mine\nmachine example.com login a password b # after\nmachine EXAMPLE.org\n\tlogin c\n\tpassword d\n\
                    machine example.com login x password y\n";
        assert_eq!(login(text, "example.com"), Some(("a".into(), "b".into())));
        assert_eq!(login(text, "example.org"), Some(("c".into(), "d".into())));
        assert_eq!(login(text, "other.com"), None);
    }

    #[test]
    fn ports_defaults_and_entries_without_password() {
        assert_eq!(login("machine h:8080 login a password b", "h"), Some(("a".into(), "b".into())));
        assert_eq!(login("machine h:9 login a password b", "h"), None);
        assert_eq!(
            login("machine h login a\ndefault login d password e", "h"),
            Some(("d".into(), "e".into()))
        );
        assert_eq!(login("machine h password b", "h"), Some((String::new(), "b".into())));
    }

    #[test]
    fn default_entry_is_ignored_on_request() {
        let text = "machine h login a password b\ndefault login d password e\n";
        for (host, password) in [("h", Some("b")), ("other", None)] {
            let found = find(text, |name| names(name, host), false);
            assert_eq!(found.map(|found| found.1).as_deref(), password, "{host}");
        }
    }

    #[test]
    fn quotes_comment_signs_and_macros() {
        let text = "machine h login \"a b\" password \"q\\\"#\\\\\"\n";
        assert_eq!(login(text, "h"), Some(("a b".into(), "q\"#\\".into())));
        assert_eq!(login("machine h login a password #b", "h"), Some(("a".into(), "#b".into())));
        let text =
            "macdef init\nmachine h login no password no\n\nmachine h login a account z password b";
        assert_eq!(login(text, "h"), Some(("a".into(), "b".into())));
    }

    #[test]
    fn broken_files_give_nothing() {
        for text in [
            "",
            "machine",
            "machine h login",
            "machine h password \"open",
            "password x",
            "macdef m\nmachine h",
        ] {
            assert_eq!(login(text, "h"), None, "{text}");
        }
    }
}
