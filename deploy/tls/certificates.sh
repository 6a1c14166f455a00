#!/bin/sh
# Gets a certificate for the host of API_BASE_URL and, where the apps are (APPS_CLIENT_ID), of
# FRONTEND_URL, and renews it when a third of its time is left. ACME_EMAIL is told when that fails;
# ACME_SERVER is Let's Encrypt unless it says otherwise. Names have to lead here, and port 80 has to
# be reachable. When it ends is written for node-exporter, so that Prometheus sees a renewal that
# fails.
set -eu
umask 022
folder="${TLS_CERTIFICATES:-/certificates}"
made="$folder/acme/live/loyalty"
challenges="${TLS_CHALLENGES:-/challenges}"
figures="${TLS_FIGURES:-/figures}"
host() { printf %s "$1" | sed 's|^https\{0,1\}://||; s|[:/].*||'; }
apps="${APPS_CLIENT_ID:+$(host "$FRONTEND_URL")}"

# nginx runs as another user; the volume is given to nobody else. This is no hook of certbot, which
# would not call it again for a certificate that it got before it was stopped.
hand_over() {
  cp "$made/privkey.pem" "$folder/privkey.half" &&
    cp "$made/fullchain.pem" "$folder/fullchain.half" &&
    chmod 644 "$folder/privkey.half" "$folder/fullchain.half" &&
    mv "$folder/privkey.half" "$folder/privkey.pem" &&
    mv "$folder/fullchain.half" "$folder/fullchain.pem"
}

tell_end() {
  end="$(openssl x509 -noout -enddate -dateopt iso_8601 -in "$folder/fullchain.pem" |
    sed 's/^notAfter=//; s/Z$//')"
  end="$(date -u -d "$end" +%s)"
  echo "loyalty_certificate_end_timestamp_seconds $end" >"$figures/certificate.half"
  mv "$figures/certificate.half" "$figures/certificate.prom"
}

while :; do
  certbot certonly --non-interactive --agree-tos --email "${ACME_EMAIL:?who is told}" \
    ${ACME_SERVER:+--server "$ACME_SERVER"} --webroot --webroot-path "$challenges" \
    --cert-name loyalty --keep-until-expiring --expand \
    --config-dir "$folder/acme" --work-dir /tmp/work --logs-dir /tmp/logs \
    -d "$(host "$API_BASE_URL")" ${apps:+-d "$apps"} || true
  [ ! -s "$made/fullchain.pem" ] || hand_over || true
  [ ! -s "$folder/fullchain.pem" ] || tell_end || true
  # Let's Encrypt allows five failures an hour.
  sleep "${TLS_EVERY:-21600}" || exit 0
done
