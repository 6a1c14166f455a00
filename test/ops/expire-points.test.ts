import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { monthOf, monthText, startOfMonth } from '../../domain/intervals.ts';
import { startMailSink } from '../../sandbox/mail/sink.ts';
import { aProgramme, aRule, aTenant, aWallet } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { balanceOf } from '../support/points/redemptions.ts';
import { runOpsHere } from '../support/run-ops.ts';

const database = await useDatabase();
const { db } = database;
const now = monthOf(new Date(), 'UTC');
const [last, next] = [monthText(now - 1), monthText(now + 1)];

const ops = (args: string[], env: Record<string, string> = {}) =>
  runOpsHere(args, { DATABASE_URL: database.url, ...env });

async function aShop() {
  const tenantId = await aTenant(db, { name: 'Corner Café' });
  const publishedAt = startOfMonth(now - 2, 'UTC');
  await aProgramme(db, tenantId, { validityMonths: 1, publishedAt });
  const walletId = await aWallet(db, { tenantId, balance: 50 });
  return { tenantId, walletId };
}

describe('expire-points', () => {
  it('takes a month ahead in a sandbox, and one that has ended anywhere', async () => {
    const { tenantId, walletId } = await aShop();
    await aRule(db, tenantId);
    const ended = await ops(['expire-points', tenantId, last], { ALPHA_ENVIRONMENT: 'production' });
    const nothing = `${last}: 0 points of 0 wallets expired.\n`;
    expect(ended).toEqual({ status: 0, out: nothing, err: '' });
    const ahead = await ops(['expire-points', tenantId, next]);
    const out = `${next}: 50 points of 1 wallet expired.\n`;
    expect(ahead).toEqual({ status: 0, out, err: '' });
    expect(await balanceOf(db, walletId)).toBe(0);
  });

  it('says why a month is skipped', async () => {
    const { tenantId } = await aShop();
    const { status, out } = await ops(['expire-points', tenantId, next]);
    expect(status).toBe(0);
    expect(out).toBe(
      `${next} is skipped: no reward rule is in effect, so that nobody could use points.\n`,
    );
  });

  it('takes nothing where programmes are off', async () => {
    const { tenantId, walletId } = await aShop();
    await aRule(db, tenantId);
    const { status, err } = await ops(['expire-points', tenantId, next], { PROGRAMME: 'off' });
    expect([status, err]).toEqual([1, expect.stringContaining('PROGRAMME is off')]);
    expect(await balanceOf(db, walletId)).toBe(50);
  });

  it('takes no month to come in production, and names both environments', async () => {
    const { tenantId, walletId } = await aShop();
    const env = { ALPHA_ENVIRONMENT: 'production', BETA_ENVIRONMENT: 'sandbox' };
    const { status, err } = await ops(['expire-points', tenantId, next], env);
    expect(status).toBe(1);
    expect(err).toContain('ALPHA_ENVIRONMENT is production, BETA_ENVIRONMENT is sandbox');
    expect(await balanceOf(db, walletId)).toBe(50);
  });

  it.each([
    { args: [], status: 2, says: 'TENANT is missing.' },
    { args: [randomUUID()], status: 2, says: 'MONTH is missing.' },
    { args: [randomUUID(), '2026-13'], status: 2, says: 'MONTH must be a month such as 2026-03.' },
    { args: [randomUUID(), '2026-03-01'], status: 2, says: 'MONTH must be a month' },
    { args: [randomUUID(), '2026-03'], status: 1, says: 'There is no such tenant.' },
  ])('refuses $args: $says', async ({ args, status, says }) => {
    const refused = await ops(['expire-points', ...args]);
    expect(refused.status).toBe(status);
    expect(refused.err).toContain(says);
  });

  it('refuses a tenant without a programme, and its time zone stays once a month was', async () => {
    const { err } = await ops(['expire-points', await aTenant(db), last]);
    expect(err).toContain('has published no programme');
    const { tenantId } = await aShop();
    await aRule(db, tenantId);
    await ops(['expire-points', tenantId, last]);
    const moved = await ops(['set-time-zone', tenantId, 'Europe/Berlin']);
    expect(moved).toMatchObject({ status: 1 });
    expect(moved.err).toContain('which now stays');
  });
});

describe('expiry-notices', () => {
  it('mails who will lose points, and refuses a month that is over', async () => {
    const { tenantId } = await aShop();
    await aRule(db, tenantId);
    const dir = await mkdtemp(join(tmpdir(), 'notices-'));
    const sink = await startMailSink({ port: 0, webPort: 0, dir });
    const env = {
      SMTP_URL: sink.smtpUrl,
      MAIL_FROM: 'loyalty@example.com',
      FRONTEND_URL: 'http://127.0.0.1:9',
      API_BASE_URL: 'http://127.0.0.1:9',
    };
    const told = await ops(['expiry-notices', tenantId, next], env);
    const out = `${next}: 1 mail sent.\n`;
    expect(told).toEqual({ status: 0, out, err: '' });
    expect(sink.mails().map(({ subject }) => subject)).toEqual([
      '50 points at Corner Café expire soon',
    ]);
    await sink.stop();
    await rm(dir, { recursive: true });
    const over = await ops(['expiry-notices', tenantId, last], env);
    expect(over).toMatchObject({ status: 2 });
    expect(over.err).toContain('The month is over');
  });
});
