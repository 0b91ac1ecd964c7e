# Answers a call with the pids of two sleepers, one in its group and one that left it. "hold": never; "crash": exits.
while IFS= read -r line; do
  case $line in
    *deactivate*) exit 0 ;;
    *activate*) printf '%s\n' '{"tools":[{"name":"start_sleepers","description":"Starts sleepers."}]}' ;;
    *execute_tool*)
      sleep 300 </dev/null >/dev/null 2>&1 &
      inside=$!
      case $line in
        *daemon*) (setsid sh -c 'sleep 300 & exec sleep 300' </dev/null >/dev/null 2>&1 &) ;;
        *) setsid sh -c 'sleep 300 & exec sleep 300' </dev/null & ;;
      esac
      case $line in
        *hold*) ;;
        *crash*) exit 3 ;;
        *) printf '{"result":"%s %s"}\n' "$inside" "$!" ;;
      esac
      ;;
  esac
done
