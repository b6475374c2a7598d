complete --command cargo --condition '__fish_seen_subcommand_from skills' --keep-order --no-files --arguments '(__cargo-skills_complete)'
