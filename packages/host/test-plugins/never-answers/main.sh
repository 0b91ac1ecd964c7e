# Declares a tool and never answers a call.
while IFS= read -r line; do
  case $line in
    *deactivate*) exit 0 ;;
    *activate*) printf '%s\n' '{"tools":[{"name":"never_answers","description":"Never answers."}],"hooks":[{"event":"PreToolUse"}]}' ;;
  esac
done
