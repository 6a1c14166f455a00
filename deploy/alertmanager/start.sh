#!/bin/sh
# Writes the configuration of Alertmanager, which reads no environment, and becomes Alertmanager.
# Alerts are mailed to ALERTS_TO, from ALERTS_FROM, by way of ALERTS_SMTP_HOST (host:port, with
# STARTTLS unless ALERTS_SMTP_TLS is false), as ALERTS_SMTP_USER with the password in a file.
# Without ALERTS_TO they are shown on its page only. ALERTS_RUNBOOKS is put before what a mail says
# to read. ALERTS_HEARTBEAT_URL is posted to every five minutes, while all of this works.
set -eu
umask 077
configuration="${ALERTMANAGER_FOLDER:-/tmp}/alertmanager.yml"
secret="${ALERTS_SMTP_PASSWORD_FILE:-/run/secrets/alerts_smtp_password}"

# A value in single quotes, as YAML reads it.
quoted() {
  printf "'%s'" "$(printf %s "$1" | sed "s/'/''/g")"
}

{
  if [ -n "${ALERTS_TO:-}" ]; then
    echo 'global:'
    host="${ALERTS_SMTP_HOST:?the mail server, such as mail.shop.example:587}"
    echo "  smtp_smarthost: $(quoted "$host")"
    echo "  smtp_from: $(quoted "${ALERTS_FROM:?the address that alerts come from}")"
    echo "  smtp_require_tls: ${ALERTS_SMTP_TLS:-true}"
    if [ -n "${ALERTS_SMTP_USER:-}" ]; then
      echo "  smtp_auth_username: $(quoted "$ALERTS_SMTP_USER")"
      echo "  smtp_auth_password_file: $(quoted "$secret")"
    fi
  fi
  cat <<'END'
route:
  receiver: operators
  group_by: [alertname]
  group_wait: 30s
  group_interval: 5m
  # What stays wrong is said again, a warning once a day.
  repeat_interval: 24h
  routes:
    - matchers: ['alertname = "LoyaltyWatching"']
      receiver: heartbeat
      group_wait: 0s
      group_interval: 1m
      repeat_interval: 5m
    - matchers: ['severity = "critical"']
      receiver: operators
      group_wait: 10s
      repeat_interval: 1h
inhibit_rules:
  # A process that is gone explains what else is missing.
  - source_matchers: ['alertname =~ "LoyaltyWorkerAbsent|LoyaltyTemporalSilent"']
    target_matchers:
      - 'alertname =~ "LoyaltyFiguresMissing|LoyaltyHealingStopped|LoyaltyWorkersBehind"'
receivers:
  - name: heartbeat
END
  if [ -n "${ALERTS_HEARTBEAT_URL:-}" ]; then
    echo '    webhook_configs:'
    echo "      - url: $(quoted "$ALERTS_HEARTBEAT_URL")"
    echo '        send_resolved: false'
  fi
  echo '  - name: operators'
  if [ -n "${ALERTS_TO:-}" ]; then
    echo '    email_configs:'
    echo "      - to: $(quoted "$ALERTS_TO")"
    echo '        send_resolved: true'
    echo '        headers:'
    echo "          Subject: '[{{ .Status }}] {{ .CommonLabels.alertname }}'"
    echo '        text: |'
    echo '          {{ range .Alerts }}{{ .Annotations.summary }}'
    echo "          What to do: ${ALERTS_RUNBOOKS:-}{{ .Annotations.runbook_url }}"
    echo '          Since {{ .StartsAt }}'
    echo
    echo '          {{ end }}'
    echo "        html: ''"
  fi
} >"$configuration"

exec "${ALERTMANAGER:-/bin/alertmanager}" --config.file="$configuration" "$@"
