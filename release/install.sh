#!/bin/sh
# Installs `skills` @VERSION@ for the current user:
#
#     curl -fsSL @REPOSITORY@/releases/download/v@VERSION@/install.sh | sh
#
# The archive is verified against a digest in this file before it is unpacked.
#
# SKILLS_INSTALL_DIR  directory of the programs [default: ~/.local/bin]
# SKILLS_RELEASES     base URL of the releases, for mirrors; https, or http to this machine
set -eu

fail() {
    printf 'error: %s\nhelp: %s\n' "$1" "$2" >&2
    exit 1
}

# A function that is called in the last line, so that nothing runs if the download was cut off.
main() {
    other='or use `cargo install helix-skills-cli`'
    for tool in curl gzip mkdir mktemp mv rm tar uname; do
        command -v "$tool" >/dev/null || fail "\`$tool\` is not installed" "install it, $other"
    done
    if command -v sha256sum >/dev/null; then
        hash=sha256sum
    elif command -v shasum >/dev/null; then
        hash='shasum -a 256'
    else
        fail "neither \`sha256sum\` nor \`shasum\` is installed" "install one of them, $other"
    fi

    system=$(uname -s)-$(uname -m)
    case $system in
@CASES@
        *) fail "there is no archive for $system" "see @REPOSITORY@/releases, $other" ;;
    esac

    releases=${SKILLS_RELEASES:-@REPOSITORY@/releases/download}
    case $releases in
        https://*) protocol='=https' ;;
        http://127.0.0.1:* | http://localhost:*) protocol='=http' ;;
        *) fail "SKILLS_RELEASES is \`$releases\`" "expected an https URL" ;;
    esac
    directory=${SKILLS_INSTALL_DIR:-${HOME:-}/.local/bin}
    case $directory in
        /.local/bin) fail "HOME is not set" "set SKILLS_INSTALL_DIR to a directory" ;;
        /*) ;;
        *) fail "SKILLS_INSTALL_DIR is \`$directory\`" "expected an absolute path" ;;
    esac

    # In the directory itself, so that the programs are replaced by a rename.
    mkdir -p "$directory" || fail "failed to create $directory" "set SKILLS_INSTALL_DIR to another directory"
    work=$(mktemp -d "$directory/.skills.XXXXXX") ||
        fail "failed to write to $directory" "set SKILLS_INSTALL_DIR to another directory"
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' HUP TERM

    name=skills-v@VERSION@-$target
    url=$releases/v@VERSION@/$name.tar.gz
    curl --proto "$protocol" --proto-redir "$protocol" --fail --silent --show-error --location \
        --connect-timeout 30 --max-time 600 --retry 3 --output "$work/archive" "$url" ||
        fail "failed to fetch $url" "check the network connection, $other"
    found=$($hash <"$work/archive")
    found=${found%% *}
    [ "$found" = "$digest" ] ||
        fail "$name.tar.gz has the digest $found instead of $digest" "it was damaged or replaced; it was not unpacked"
    # With `o`, the files belong to the user, also if that is root.
    tar -xzof "$work/archive" -C "$work" "$name/skills" "$name/cargo-skills" ||
        fail "failed to unpack $name.tar.gz" "free some space on the disk, $other"
    # A shell that starts a pipe may wait for its other end.
    for program in skills cargo-skills; do
        { [ -f "$work/$name/$program" ] && [ ! -L "$work/$name/$program" ]; } ||
            fail "\`$program\` in $name.tar.gz is not a regular file" "report it to @REPOSITORY@, $other"
    done
    version=$("$work/$name/skills" --version) || fail "the program for $system does not run here" "use \`cargo install helix-skills-cli\`"
    for program in skills cargo-skills; do
        [ ! -d "$directory/$program" ] || fail "$directory/$program is a directory" "remove it, or set SKILLS_INSTALL_DIR"
        mv -f "$work/$name/$program" "$directory/$program" ||
            fail "failed to replace $directory/$program" "set SKILLS_INSTALL_DIR to another directory"
    done

    printf 'installed %s in %s\n' "$version" "$directory"
    case :${PATH}: in
        *:"$directory":*) ;;
        *) printf 'help: add %s to the PATH\n' "$directory" ;;
    esac
}

main
