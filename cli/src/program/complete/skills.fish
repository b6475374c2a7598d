# Completions of `skills`. Paths are completed by fish itself.
function __skills_complete
    set -l words (commandline --current-process --tokenize --cut-at-cursor)
    # `cargo skills` has the same words after `cargo`.
    test "$words[1]" = cargo; and set --erase words[1]
    set -l word (commandline --current-token --cut-at-cursor)
    set -l paths
    for answer in (HELIX_SKILLS_COMPLETE=fish HELIX_SKILLS_COMPLETE_PATHS=1 skills -- $words "$word")
        switch $answer
            case '*<files>'
                set paths (__fish_complete_suffix '')
            case '*<directories>'
                set paths (__fish_complete_directories)
            case '-*'
                # Options would be in the way of paths.
                if test -n "$word" -o -z "$paths"
                    printf '%s\n' $answer
                end
            case '*'
                printf '%s\n' $answer
        end
    end
    printf '%s\n' $paths
end
complete --command skills --keep-order --no-files --arguments '(__skills_complete)'
