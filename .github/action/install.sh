#!/usr/bin/env bash
# Installs a released `skills` on a runner: the archive for its system, checked against its digest before anything in
# it is looked at, and where `gh` can against the attestation of its build.
#
# Reads  SKILLS_VERSION       the release; empty: the version of the checkout this script lies in
#        SKILLS_ATTESTATION   auto, required or never
#        SKILLS_RELEASES      where releases lie, for mirrors; https, or http to this machine
#        RUNNER_OS RUNNER_ARCH RUNNER_TEMP GITHUB_PATH GITHUB_OUTPUT, as every runner sets them
set -euo pipefail

repository=helix-skills/helix-skills
releases=${SKILLS_RELEASES:-https://github.com/$repository/releases/download}

# fail WHAT HINT: an annotation of the run, on one line whatever an input holds.
fail() {
    local message="$1; $2"
    message=${message//'%'/%25}
    message=${message//$'\r'/%0D}
    message=${message//$'\n'/%0A}
    printf '::error title=Helix Skills::%s\n' "$message" >&2
    exit 1
}

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
version=${SKILLS_VERSION:-}
version=${version#v}
if [ -z "$version" ]; then
    # The first version in the workspace's manifest is that of all its packages.
    version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$checkout/Cargo.toml" | head -n 1)
fi
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] ||
    fail "the input \`version\` is \`$version\`" "expected a release such as 0.1.0"

attestation=${SKILLS_ATTESTATION:-auto}
case $attestation in
    auto | required | never) ;;
    *) fail "the input \`attestation\` is \`$attestation\`" "expected auto, required or never" ;;
esac

case ${RUNNER_OS:-} in
    Linux) system=unknown-linux-musl ;;
    macOS) system=apple-darwin ;;
    *) fail "there is no release for the system \`${RUNNER_OS:-}\` here" "run on Linux or macOS, or use \`cargo install helix-skills-cli\`" ;;
esac
case ${RUNNER_ARCH:-} in
    X64) target=x86_64-$system ;;
    ARM64) target=aarch64-$system ;;
    *) fail "there is no release for the machine \`${RUNNER_ARCH:-}\`" "run on X64 or ARM64, or use \`cargo install helix-skills-cli\`" ;;
esac

case $releases in
    https://*) protocol='=https' ;;
    http://127.0.0.1:* | http://localhost:*) protocol='=http' ;;
    *) fail "releases lie at \`$releases\`" "expected an address with https" ;;
esac

name=skills-v$version-$target
archive=$name.tar.gz
work=$(mktemp -d "${RUNNER_TEMP:?}/skills.XXXXXX")
cleanup() { rm -rf "${work:?}/$archive" "${work:?}/$archive.sha256" "${work:?}/$name"; }
trap cleanup EXIT

for file in "$archive" "$archive.sha256"; do
    curl --proto "$protocol" --proto-redir "$protocol" --fail --silent --show-error --location \
        --connect-timeout 30 --max-time 600 --retry 3 --output "$work/$file" "$releases/v$version/$file" ||
        fail "cannot fetch $releases/v$version/$file" "is v$version released? The input \`version\` names another"
done

if command -v sha256sum >/dev/null; then
    found=$(sha256sum <"$work/$archive")
else
    found=$(shasum -a 256 <"$work/$archive")
fi
found=${found%% *}
# One line, as `sha256sum` writes it: the digest, two blanks, the name.
line=$(<"$work/$archive.sha256")
wanted=${line%% *}
{ [[ $wanted =~ ^[0-9a-f]{64}$ ]] && [ "$line" = "$wanted  $archive" ]; } ||
    fail "$archive.sha256 does not hold the digest of $archive" "the release is incomplete; report it to $repository"
[ "$found" = "$wanted" ] ||
    fail "$archive has the digest $found instead of $wanted" "it was damaged or replaced on its way; nothing of it was used"

if [ "$attestation" != never ]; then
    # An old `gh` does not know the option, and some runners have no `gh`.
    if ! options=$(gh attestation verify --help 2>/dev/null) || [[ $options != *--source-ref* ]]; then
        reason="there is no \`gh\` on the PATH that can check the tag of an attestation"
    elif [ -z "${GH_TOKEN:-}" ]; then
        reason="there is no token for \`gh\`"
    else
        reason=
        # The workflow alone would also accept an archive of another release under this name.
        gh attestation verify "$work/$archive" --repo "$repository" \
            --signer-workflow "$repository/.github/workflows/release.yml" \
            --source-ref "refs/tags/v$version" >&2 ||
            fail "$archive has no attestation of $repository's release workflow for the tag v$version" "nothing of it was used"
    fi
    if [ -n "$reason" ]; then
        [ "$attestation" = auto ] || fail "the attestation cannot be checked: $reason" "fix that, or set \`attestation: auto\`"
        printf '%s\n' "attestation not checked: $reason" >&2
    fi
fi

mkdir "$work/bin"
tar -xzf "$work/$archive" -C "$work" "$name/skills"
mv "$work/$name/skills" "$work/bin/skills"
says=$("$work/bin/skills" --version)
[ "$says" = "skills $version" ] ||
    fail "the program in $archive calls itself \`$says\`" "expected \`skills $version\`; report it to $repository"

printf '%s\n' "$work/bin" >>"$GITHUB_PATH"
printf 'version=%s\npath=%s\n' "$version" "$work/bin/skills" >>"$GITHUB_OUTPUT"
printf 'installed %s at %s\n' "$says" "$work/bin/skills"
