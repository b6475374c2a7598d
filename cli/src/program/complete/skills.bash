# Completions of `skills`. Paths are completed by bash itself, which quotes them.
_skills() {
    local answer paths='' words=("${COMP_WORDS[@]}")
    if ((BASH_VERSINFO[0] >= 4)); then
        words[COMP_CWORD]=$2
    fi
    COMPREPLY=()
    while IFS= read -r answer || [[ -n $answer ]]; do
        case $answer in
            *'<files>' | *'<directories>') paths=$answer ;;
            # Options would be in the way of paths.
            -*) [[ -n $paths && -z $2 ]] || COMPREPLY+=("$answer") ;;
            *) COMPREPLY+=("$answer") ;;
        esac
    done < <(
        HELIX_SKILLS_COMPLETE=bash HELIX_SKILLS_COMPLETE_PATHS=1 \
            _CLAP_COMPLETE_INDEX=$COMP_CWORD _CLAP_IFS=$'\n' skills -- "${words[@]}" 2>/dev/null
    )
    # Older versions of bash have no `compopt`; see below.
    if ((BASH_VERSINFO[0] >= 4)) && [[ -n $paths ]]; then
        if [[ $paths == *'<files>' && ${#COMPREPLY[@]} -eq 0 ]]; then
            compopt -o default 2>/dev/null
        else
            compopt -o plusdirs 2>/dev/null
        fi
    fi
}
if ((BASH_VERSINFO[0] > 4 || BASH_VERSINFO[0] == 4 && BASH_VERSINFO[1] >= 4)); then
    complete -o bashdefault -o nosort -F _skills skills
elif ((BASH_VERSINFO[0] == 4)); then
    complete -o bashdefault -F _skills skills
else
    complete -o bashdefault -o default -F _skills skills
fi
