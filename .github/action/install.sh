#!/usr/bin/env bash
# Installs a released `skills` on a runner. The archive for its system is verified against its digest, and
# with `gh` against the attestation of its build, before it is unpacked.
#
# Reads  SKILLS_VERSION       the release; if empty, the version of the checkout that has this script
#        SKILLS_ATTESTATION   auto, required or never
#        SKILLS_RELEASES      base URL of the releases, for mirrors; https, or http to this machine
#        RUNNER_OS RUNNER_ARCH RUNNER_TEMP GITHUB_PATH GITHUB_OUTPUT, set by the runner
set -euo pipefail

repository=helix-skills/helix-skills
releases=${SKILLS_RELEASES:-https://github.com/$repository/releases/download}

# fail MESSAGE HINT: prints an error annotation, on one line for any input, and exits.
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
    # The first version in the workspace's manifest applies to all its packages.
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
    *) fail "unsupported system \`${RUNNER_OS:-}\`" "run on Linux or macOS, or use \`cargo install helix-skills-cli\`" ;;
esac
case ${RUNNER_ARCH:-} in
    X64) target=x86_64-$system ;;
    ARM64) target=aarch64-$system ;;
    *) fail "unsupported architecture \`${RUNNER_ARCH:-}\`" "run on X64 or ARM64, or use \`cargo install helix-skills-cli\`" ;;
esac

case $releases in
    https://*) protocol='=https' ;;
    http://127.0.0.1:* | http://localhost:*) protocol='=http' ;;
    *) fail "the URL of the releases is \`$releases\`" "expected an https URL" ;;
esac

name=skills-v$version-$target
archive=$name.tar.gz
work=$(mktemp -d "${RUNNER_TEMP:?}/skills.XXXXXX")
cleanup() { rm -rf "${work:?}/$archive" "${work:?}/$archive.sha256" "${work:?}/$name"; }
trap cleanup EXIT

for file in "$archive" "$archive.sha256"; do
    curl --proto "$protocol" --proto-redir "$protocol" --fail --silent --show-error --location \
        --connect-timeout 30 --max-time 600 --retry 3 --output "$work/$file" "$releases/v$version/$file" ||
        fail "failed to fetch $releases/v$version/$file" "check that v$version is released, or set the input \`version\`"
done

if command -v sha256sum >/dev/null; then
    found=$(sha256sum <"$work/$archive")
else
    found=$(shasum -a 256 <"$work/$archive")
fi
found=${found%% *}
# One line in the format of `sha256sum`: the digest, two spaces, the name.
line=$(<"$work/$archive.sha256")
wanted=${line%% *}
{ [[ $wanted =~ ^[0-9a-f]{64}$ ]] && [ "$line" = "$wanted  $archive" ]; } ||
    fail "$archive.sha256 does not contain the digest of $archive" "the release is incomplete; report it to $repository"
[ "$found" = "$wanted" ] ||
    fail "$archive has the digest $found instead of $wanted" "it was damaged or replaced; it was not unpacked"

if [ "$attestation" != never ]; then
    # Old versions of `gh` do not have the option, and some runners do not have `gh`.
    if ! options=$(gh attestation verify --help 2>/dev/null) || [[ $options != *--source-ref* ]]; then
        reason="no \`gh\` on the PATH can verify the tag of an attestation"
    elif [ -z "${GH_TOKEN:-}" ]; then
        reason="\`gh\` has no token"
    else
        reason=
        # Without the tag, an archive of another release under this name would be accepted, too.
        gh attestation verify "$work/$archive" --repo "$repository" \
            --signer-workflow "$repository/.github/workflows/release.yml" \
            --source-ref "refs/tags/v$version" >&2 ||
            fail "$archive has no attestation of $repository's release workflow for the tag v$version" "it was not unpacked"
    fi
    if [ -n "$reason" ]; then
        [ "$attestation" = auto ] || fail "cannot verify the attestation: $reason" "fix that, or set \`attestation: auto\`"
        printf '%s\n' "attestation not verified: $reason" >&2
    fi
fi

tar -xzf "$work/$archive" -C "$work" "$name/skills"
# To run a pipe would wait for its other end.
{ [ -f "$work/$name/skills" ] && [ ! -L "$work/$name/skills" ]; } ||
    fail "\`skills\` in $archive is not a regular file" "report it to $repository"
mkdir "$work/bin"
mv "$work/$name/skills" "$work/bin/skills"
printed=$("$work/bin/skills" --version)
[ "$printed" = "skills $version" ] ||
    fail "the program in $archive prints \`$printed\` as its version" "expected \`skills $version\`; report it to $repository"

printf '%s\n' "$work/bin" >>"$GITHUB_PATH"
printf 'version=%s\npath=%s\n' "$version" "$work/bin/skills" >>"$GITHUB_OUTPUT"
printf 'installed %s at %s\n' "$printed" "$work/bin/skills"
