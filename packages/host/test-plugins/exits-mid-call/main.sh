# Exits with the status that the input asks for; with "answer" in it, only after the answer.
while IFS= read -r line; do
  case $line in
    *deactivate*) exit 0 ;;
    *activate*) printf '%s\n' '{"tools":[{"name":"exits","description":"Exits."}]}' ;;
    *answer*) printf '%s\n' '{"result":"the last word"}'; exit 0 ;;
    *stay*) printf '%s\n' '{"result":"still here"}' ;;
    *signal*) kill -TERM $$ ;;
    *) echo 'fatal: the tape is torn' >&2; exit 7 ;;
  esac
done
