#!/bin/sh
# Creates the namespace unless it exists, and the search attributes that our runs carry. Closed runs
# are kept for two weeks, longer than an event is swept; an existing namespace keeps its own
# retention. It is safe to run again, and reads Temporal's own environment: TEMPORAL_ADDRESS, TEMPORAL_API_KEY, ...
set -eu

# Runs a command until the server knows the new namespace; any other error ends the script.
await_namespace() {
  attempts=30
  until problem="$("$@" 2>&1)"; do
    attempts=$((attempts - 1))
    case "$problem" in
      *"not found"*) [ "$attempts" -gt 0 ] && sleep 1 && continue ;;
    esac
    echo "$problem" >&2
    exit 1
  done
}

if ! problem="$(temporal operator namespace describe -n "$TEMPORAL_NAMESPACE" 2>&1)"; then
  case "$problem" in
    *"is not found"*) ;;
    *)
      echo "$problem" >&2
      exit 1
      ;;
  esac
  temporal operator namespace create -n "$TEMPORAL_NAMESPACE" --retention 336h
fi

await_namespace temporal operator search-attribute create -n "$TEMPORAL_NAMESPACE" \
  --name TenantIds --type KeywordList \
  --name Provider --type Keyword \
  --name ConnectionId --type Keyword
