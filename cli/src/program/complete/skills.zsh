#compdef skills
# Completions of `skills`. Paths are completed by zsh itself.
_skills() {
    local answer paths
    local -a answers names
    answers=("${(@f)$(
        HELIX_SKILLS_COMPLETE=zsh HELIX_SKILLS_COMPLETE_PATHS=1 \
            _CLAP_COMPLETE_INDEX=$((CURRENT - 1)) _CLAP_IFS=$'\n' skills -- "${words[@]}" 2>/dev/null
    )}")
    for answer in $answers; do
        case $answer in
            *'<files>' | *'<directories>') paths=$answer ;;
            # Options would be in the way of paths.
            -*) [[ -n $paths && -z $PREFIX ]] || names+=("$answer") ;;
            *) names+=("$answer") ;;
        esac
    done
    (( $#names )) && _describe -V 'values' names
    [[ -n $paths && $PREFIX == --*=* ]] && compset -P 1 '*='
    case $paths in
        *'<files>') _files ;;
        *'<directories>') _files -/ ;;
    esac
}
if [[ ${funcstack[1]} == _skills ]]; then
    _skills "$@"
else
    compdef _skills skills
fi
