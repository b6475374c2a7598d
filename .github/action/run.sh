#!/usr/bin/env bash
# Runs the installed `skills` with the words of SKILLS_ARGS. Only blanks part words: there are no quotes, no variables
# and no globs, so that nothing in an input is ever a command.
set -euo pipefail

words=()
read -r -d '' -a words <<<"${SKILLS_ARGS:-}" || true
[ ${#words[@]} -gt 0 ] || exit 0

# A runner takes lines that begin with `::` for commands. What `skills` prints may be the text of a skill: it gets none.
resume=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
printf '::stop-commands::%s\n' "$resume"
code=0
"${SKILLS_PROGRAM:?}" "${words[@]}" || code=$?
printf '::%s::\n' "$resume"
exit "$code"
