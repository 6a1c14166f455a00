#!/bin/sh
# Fills in the templates with the variables that are set, and becomes the command: with the nginx of
# the Python registry, which looks names up again as the shipped one does, or with Debian's, which
# has compressed files to serve.
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
if grep -q gzip_static /etc/nginx/nginx.conf; then exec "$@"; fi
# Docker answers for names at 127.0.0.11; Podman does at the address that it tells.
names_at=$(sed -n 's/^nameserver //p' /etc/resolv.conf | head -n 1)
cp /etc/nginx/nginx.conf /tmp/nginx.conf
sed "s/resolver 127.0.0.11 /resolver $names_at /" /etc/nginx/upstream.conf >/tmp/upstream.conf
exec /opt/nginx -p /etc/nginx -c /tmp/nginx.conf -g 'daemon off;'
