#!/bin/sh
# Makes the namespace, unless it is there. How long ended runs are kept is set here.
set -eu

temporal operator namespace describe -n "$TEMPORAL_NAMESPACE" >/dev/null 2>&1 ||
  temporal operator namespace create -n "$TEMPORAL_NAMESPACE" --retention 72h
