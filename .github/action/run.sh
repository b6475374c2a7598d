#!/usr/bin/env bash
# Runs the installed `skills` with the words of SKILLS_ARGS, which are separated by whitespace only. Quotes,
# variables and globs have no meaning, so that no input is ever interpreted as a command.
set -euo pipefail

words=()
IFS=$' \t\r\n' read -r -d '' -a words <<<"${SKILLS_ARGS:-}" || true
[ ${#words[@]} -gt 0 ] || exit 0

# A runner interprets lines that begin with `::` as commands. This is turned off, because `skills` may print
# the text of a skill. Both outputs go to one stream: the runner reads two without an order, and could read a
# line of the other one after the end. The end starts a new line, whatever the last byte of the output was.
resume=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
printf '::stop-commands::%s\n' "$resume"
code=0
"${SKILLS_PROGRAM:?}" "${words[@]}" 2>&1 || code=$?
printf '\n::%s::\n' "$resume"
exit "$code"
