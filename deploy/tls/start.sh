#!/bin/sh
# Ends TLS for the host of API_BASE_URL and, where the apps are (APPS_CLIENT_ID), of FRONTEND_URL,
# whose certificate is in a folder, and becomes nginx. Until there is one it answers challenges only;
# a new one is taken within a minute.
set -eu
folder="${TLS_FOLDER:-/tmp}"
certificates="${TLS_CERTIFICATES:-/certificates}"
challenges="${TLS_CHALLENGES:-/challenges}"
http="${TLS_HTTP:-8080}"
https="${TLS_HTTPS:-8443}"
host() { printf %s "$1" | sed 's|^https\{0,1\}://||; s|[:/].*||'; }

# One for each address: what it is called, and what is behind it.
server() {
  cat <<END
  server {
    listen $https ssl http2;
    server_name $1;
    location / {
      set \$behind http://$2;
      proxy_pass \$behind;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host \$host;
      proxy_set_header X-Forwarded-For \$remote_addr;
      # The proxy behind has the limits; bodies and streams pass as they come.
      client_max_body_size 0;
      proxy_request_buffering off;
      proxy_buffering off;
      proxy_read_timeout 65s;
    }
  }
END
}

configure() {
  cat <<END
pid $folder/nginx.pid;
# It would write the query of a request that failed, with codes and addresses.
error_log stderr crit;
# Two for each request or open stream.
events { worker_connections 4096; }
http {
  client_header_timeout 10s;
  # Of some 2,000 requests and streams that there can be in all.
  limit_conn_zone \$binary_remote_addr zone=connections:10m;
  limit_conn connections 1200;
  limit_conn_status 503;
  # What did not reach the proxy behind, whose log has the others.
  map \$status \$is_lost { default 0; ~^5 1; }
  log_format lost '\$time_iso8601 \$status \$request_method \$host\$uri';
  access_log ${TLS_LOG:-/dev/stdout} lost if=\$is_lost;
  server_tokens off;
  client_body_temp_path $folder/body;
  proxy_temp_path $folder/proxy;
  fastcgi_temp_path $folder/fastcgi;
  uwsgi_temp_path $folder/uwsgi;
  scgi_temp_path $folder/scgi;
  ssl_protocols TLSv1.2 TLSv1.3;
  ssl_session_cache shared:tls:4m;
  # Found at each request, since a container gets another address when it is made again.
  ${TLS_RESOLVER:-resolver 127.0.0.11 valid=10s;}
  server {
    listen $http default_server;
    location /.well-known/acme-challenge/ { root $challenges; default_type text/plain; }
    location / { return 301 https://\$host\$request_uri; }
  }
END
  if [ -s "$certificates/fullchain.pem" ]; then
    echo "  ssl_certificate $certificates/fullchain.pem;"
    echo "  ssl_certificate_key $certificates/privkey.pem;"
    server "$(host "$API_BASE_URL")" "${TLS_API:-proxy:8080}"
    apps="${APPS_CLIENT_ID:+$(host "$FRONTEND_URL")}"
    case "$apps" in
      '' | "$(host "$API_BASE_URL")") ;;
      *) server "$apps" "${TLS_APPS:-apps:8080}" ;;
    esac
  fi
  echo '}'
}

state() { cat "$certificates/fullchain.pem" 2>/dev/null | cksum; }
known="$(state)"
configure >"$folder/nginx.conf"
(
  while sleep "${TLS_EVERY:-60}"; do
    [ "$(state)" != "$known" ] || continue
    known="$(state)"
    configure >"$folder/nginx.conf"
    nginx -c "$folder/nginx.conf" -s reload
  done
) &
exec nginx -c "$folder/nginx.conf" -g 'daemon off;'
