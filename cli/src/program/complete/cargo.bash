# Completes `cargo skills`, and the other commands of cargo as before.
if ! complete -p cargo >/dev/null 2>&1 && declare -F _completion_loader >/dev/null; then
    _completion_loader cargo >/dev/null 2>&1
fi
if [[ $(complete -p cargo 2>/dev/null) =~ -F\ ([^\ ]+) && ${BASH_REMATCH[1]} != _cargo_and_skills ]]; then
    _cargo_without_skills=${BASH_REMATCH[1]}
fi
_cargo_and_skills() {
    if ((COMP_CWORD > 1)) && [[ ${COMP_WORDS[1]} == skills ]]; then
        COMP_WORDS=("${COMP_WORDS[@]:1}")
        ((COMP_CWORD -= 1))
        _cargo-skills "$@"
    elif [[ -n ${_cargo_without_skills-} ]]; then
        "$_cargo_without_skills" "$@"
    fi
}
complete -o bashdefault -o default -F _cargo_and_skills cargo
