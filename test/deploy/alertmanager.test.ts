import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type MailSink, startMailSink } from '../../sandbox/mail/sink.ts';
import { freePort } from '../../sandbox/processes/ports.ts';
import { type ServerProcess, startServer } from '../../sandbox/processes/processes.ts';
import { needs, pathOf } from '../support/needs.ts';

const START = fileURLToPath(new URL('../../deploy/alertmanager/start.sh', import.meta.url));
const SOON = { timeout: 60_000, interval: 250 };

const folder = mkdtempSync(join(tmpdir(), 'loyalty-alertmanager-'));
let mail: MailSink | undefined;
let running: ServerProcess | undefined;
afterAll(async () => {
  await running?.stop([{ signal: 'SIGTERM', waitMs: 10_000 }]);
  await mail?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function written(settings: Record<string, string>): unknown {
  const env = { PATH: process.env.PATH, ALERTMANAGER_FOLDER: folder, ALERTMANAGER: '/bin/true' };
  execFileSync(START, { env: { ...env, ...settings } });
  return parse(readFileSync(join(folder, 'alertmanager.yml'), 'utf8'));
}

const GIVEN = {
  ALERTS_TO: 'operators@shop.example',
  ALERTS_FROM: 'loyalty@shop.example',
  ALERTS_SMTP_HOST: 'mail.shop.example:587',
};

describe('start.sh', () => {
  it('has alerts mailed over TLS, with a login if there is one', () => {
    const login = { ALERTS_SMTP_USER: "o'hara", ALERTS_SMTP_PASSWORD_FILE: '/run/secrets/p' };
    expect(written({ ...GIVEN, ...login })).toMatchObject({
      global: {
        smtp_smarthost: 'mail.shop.example:587',
        smtp_from: 'loyalty@shop.example',
        smtp_require_tls: true,
        smtp_auth_username: "o'hara",
        smtp_auth_password_file: '/run/secrets/p',
      },
      receivers: [
        { name: 'heartbeat' },
        { name: 'operators', email_configs: [{ to: 'operators@shop.example' }] },
      ],
    });
    expect(written(GIVEN)).not.toHaveProperty('global.smtp_auth_username');
  });

  it('shows them only without a recipient', () => {
    expect(written({})).toMatchObject({
      receivers: [{ name: 'heartbeat' }, { name: 'operators' }],
    });
  });

  it('says where to read on, and posts a heartbeat to whoever waits for it', () => {
    const url = 'https://watch.example/ping';
    const more = { ALERTS_RUNBOOKS: 'https://git.example/blob/', ALERTS_HEARTBEAT_URL: url };
    expect(written({ ...GIVEN, ...more })).toMatchObject({
      receivers: [
        { name: 'heartbeat', webhook_configs: [{ url }] },
        {
          name: 'operators',
          email_configs: [
            {
              text: expect.stringContaining(
                'https://git.example/blob/{{ .Annotations.runbook_url }}',
              ),
            },
          ],
        },
      ],
    });
  });

  it('refuses a recipient without a mail server, and says which setting is missing', () => {
    const env = { PATH: process.env.PATH, ALERTMANAGER_FOLDER: folder, ALERTS_TO: 'a@b.example' };
    const { status, stderr } = spawnSync(START, { env, encoding: 'utf8' });
    expect(status).not.toBe(0);
    expect(stderr).toContain('ALERTS_SMTP_HOST');
  });
});

describe('Alertmanager', needs('prometheus-alertmanager'), () => {
  it('mails what Prometheus finds, with what to do', async () => {
    mail = await startMailSink({ port: 0, webPort: 0, dir: join(folder, 'mail') });
    const port = await freePort();
    running = await startServer({
      command: START,
      args: [
        `--storage.path=${folder}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--cluster.listen-address=',
      ],
      logFile: join(folder, 'alertmanager.log'),
      signalAtExit: 'SIGTERM',
      env: {
        PATH: process.env.PATH,
        ALERTMANAGER: pathOf('prometheus-alertmanager'),
        ALERTMANAGER_FOLDER: folder,
        ...GIVEN,
        ALERTS_SMTP_HOST: new URL(mail.smtpUrl).host,
        ALERTS_SMTP_TLS: 'false',
      },
    });
    const at = `http://127.0.0.1:${port}`;
    const ready = () => fetch(`${at}/-/ready`).then(({ status }) => status, String);
    await expect.poll(ready, SOON).toBe(200);
    const labels = { alertname: 'LoyaltyLedgerNotWhole', severity: 'critical' };
    const annotations = {
      summary: 'A wallet does not add up.',
      runbook_url: 'docs/operating.md#x',
    };
    const { status } = await fetch(`${at}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ labels, annotations }]),
    });
    expect(status).toBe(200);
    await expect
      .poll(() => mail?.mails().map(({ subject }) => subject), SOON)
      .toEqual(['[firing] LoyaltyLedgerNotWhole']);
    const [sent] = mail.mails();
    expect(sent?.recipients).toEqual(['operators@shop.example']);
    expect(sent?.text).toContain('A wallet does not add up.');
    expect(sent?.text).toContain('docs/operating.md#x');
  }, 90_000);
});
