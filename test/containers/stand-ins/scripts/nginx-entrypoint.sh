#!/bin/sh
# Fills in the templates with the variables that are set, and becomes the command.
set -eu
templates=/etc/nginx/templates
output=${NGINX_ENVSUBST_OUTPUT_DIR:-/etc/nginx/conf.d}
if [ -d "$templates" ]; then
  # Only these names: the templates also have nginx's own variables.
  names=$(env | sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*/${\1}/p' | tr '\n' ' ')
  for template in "$templates"/*.template; do
    envsubst "$names" <"$template" >"$output/$(basename "$template" .template)"
  done
fi
exec "$@"
