import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { countByProvider } from '../../db/connections/counts.ts';
import { follow } from '../../db/redemptions/following.ts';
import { RedemptionId, TenantId } from '../../domain/ids.ts';
import { Sealed } from '../../domain/sealed.ts';
import { createRedemptionCodes } from '../../gateways/crypto/redemption-codes.ts';
import { createSealer } from '../../gateways/crypto/sealer.ts';
import {
  anAlphaConnection,
  anAlphaEvent,
  aRule,
  aTenant,
  aUser,
  aWallet,
  required,
  storedEvents,
  testKeys,
} from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { aCreditedPayment, aTill } from '../support/points/payments.ts';
import { aRedemption, redemptionRow } from '../support/points/redemptions.ts';
import { closeEvents } from '../support/providers/events.ts';
import { runMain } from '../support/run-main.ts';
import { runOpsHere, runVerifyHere } from '../support/run-ops.ts';

const NEW_KEY = { id: 'k2', key: Uint8Array.from({ length: 32 }, (_, index) => 255 - index) };
const database = await useDatabase();
const { db } = database;

/** Runs the command like an operator, with only the environment that it needs. */
const ops = (args: string[], env: Record<string, string> = {}) =>
  runOpsHere(args, { DATABASE_URL: database.url, ...env });

const hex = (key: Uint8Array) => Buffer.from(key).toString('hex');
const configuration = {
  API_BASE_URL: 'http://127.0.0.1:9',
  FRONTEND_URL: 'http://127.0.0.1:9',
  OIDC_ISSUER: 'http://127.0.0.1:9',
  OIDC_AUDIENCE: 'loyalty-api',
  ADMIN_EMAIL_DOMAIN: 'staff.example',
  CRON_SECRET: 'a cron secret of the tests',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'loyalty@example.com',
  OBJECT_STORE_URL: 'file:///tmp',
  ENCRYPTION_KEY: `k2:${hex(NEW_KEY.key)},k1:${hex(required(testKeys[0]).key)}`,
};

describe('a database of another installation', () => {
  it.each([undefined, 'production', 'sandbox'])('is refused, for NODE_ENV %s', async (name) => {
    const { status, out, err } = await ops(['connections'], { NODE_ENV: name ?? '' });
    expect({ status, out }).toEqual({ status: 1, out: '' });
    expect(err).toContain('The database is of another installation (test)');
    expect(err).toContain('(NODE_ENV): check DATABASE_URL');
  });

  it('is not verified', async () => {
    const env = { DATABASE_URL: database.url, NODE_ENV: 'production' };
    const { status, out, err } = await runVerifyHere([], env);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toContain('The database is of another installation (test)');
  });
});

describe('the command line', () => {
  it('prints the usage on --help, and exits 0', async () => {
    const { status, out, err } = await ops(['--help']);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    for (const name of ['suspend', 'events replay', 'payment show', 'export-ledger']) {
      expect(out).toContain(`  ${name} `);
    }
  });

  it.each([
    { args: [], says: 'A command is missing' },
    { args: ['set-currency', randomUUID()], says: 'ISO is missing' },
    { args: ['set-currency', randomUUID(), 'ABC'], says: 'is not a currency code' },
    { args: ['fly'], says: 'There is no such command' },
    { args: ['events'], says: 'There is no such command' },
    { args: ['suspend'], says: 'EMAIL is missing' },
    { args: ['suspend', 'a@b.ch', 'c@d.ch'], says: 'one argument too many' },
    { args: ['suspend', 'nonsense'], says: 'neither an e-mail nor a user id' },
    { args: ['connections', '--kind', 'x'], says: '--kind is not an option of connections' },
    { args: ['connections', '--wrong'], says: '--wrong' },
    { args: ['events', 'list', '--kind', 'all'], says: '--kind must be one of' },
    { args: ['events', 'list', '--limit', '0'], says: '--limit must be' },
    { args: ['events', 'show', '17'], says: 'must be an id' },
    { args: ['export-ledger', 'mine'], says: 'TENANT must be an id' },
  ])('exits 2 with the reason and the usage: $args', async ({ args, says }) => {
    const { status, out, err } = await ops(args);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toContain(says);
    expect(err).toContain('npm run ops -- COMMAND');
  });

  it('is a process with that output and exit status', async () => {
    const variables = { DATABASE_URL: database.url, NODE_ENV: 'test' };
    const { ended: shown } = runMain('ops/main.ts', variables, ['connections', '--json']);
    expect(await shown).toEqual({ status: 0, stdout: '[]\n', stderr: '' });
    const { ended: refused } = runMain('ops/main.ts', variables, ['suspend', 'no@example.com']);
    const stderr = 'There is no such user.\n';
    expect(await refused).toEqual({ status: 1, stdout: '', stderr });
  }, 120_000);

  it('exits 1 for an unknown user, no database, or a missing setting', async () => {
    const unknown = await ops(['suspend', 'nobody@example.com']);
    expect(unknown).toEqual({ status: 1, out: '', err: 'There is no such user.\n' });
    const unreachable = await ops(['connections'], {
      DATABASE_URL: 'postgres://ops@127.0.0.1:9/none',
    });
    expect(unreachable).toMatchObject({
      status: 1,
      out: '',
      err: expect.stringContaining('ECONNREFUSED'),
    });
    const unset = await ops(['rotate-keys']);
    expect(unset).toMatchObject({ status: 1, err: expect.stringContaining('ENCRYPTION_KEY') });
  });
});

describe('people', () => {
  it('are suspended and reinstated, and shown masked', async () => {
    const userId = await aUser(db, { email: 'ann@example.com' });
    const suspended = await ops(['suspend', 'Ann@Example.com', '--json']);
    const shown = { userId, email: 'a***@example.com', role: 'consumer' };
    expect(JSON.parse(suspended.out)).toEqual([{ ...shown, status: 'suspended' }]);
    const { status, out } = await ops(['reinstate', userId]);
    expect({ status, out }).toMatchObject({ status: 0, out: expect.stringContaining('active') });
    expect(out).not.toContain('ann@');
  });

  it('become admin only in the domain of administrators', async () => {
    await aUser(db, { email: 'root@staff.example' });
    const made = await ops(['grant-admin', 'root@staff.example', '--json'], configuration);
    expect(JSON.parse(made.out)).toMatchObject([{ role: 'admin', status: 'active' }]);
    const refused = await ops(['grant-admin', 'ann@example.com'], configuration);
    expect(refused).toMatchObject({ status: 1, err: expect.stringContaining('staff.example') });
    const last = await ops(['suspend', 'root@staff.example'], configuration);
    expect(last).toMatchObject({ status: 1, err: expect.stringContaining('last active') });
  });
});

describe('shops', () => {
  it('are suspended and reinstated, with an entry each', async () => {
    const tenantId = await aTenant(db);
    for (const [command, status] of [
      ['suspend-tenant', 'suspended'],
      ['reinstate-tenant', 'active'],
    ] as const) {
      for (let time = 0; time < 2; time++) {
        const { out } = await ops([command, tenantId, '--json']);
        expect(JSON.parse(out)).toEqual({ tenantId, status });
      }
    }
    expect(await db('audit_log').where({ tenantId }).orderBy('seq')).toMatchObject([
      { actor: 'ops', action: 'tenant.suspend' },
      { actor: 'ops', action: 'tenant.reinstate' },
    ]);
    const unknown = await ops(['suspend-tenant', randomUUID()]);
    expect(unknown).toMatchObject({ status: 1, err: 'There is no such tenant.\n' });
  });
});

describe('events and payments', () => {
  it('are listed, shown, replayed and traced to the ledger, without personal data', async () => {
    const tenantId = await aTenant(db);
    await anAlphaConnection(db, { tenantId, merchantId: 'M7' });
    const [stored] = await storedEvents(db, 'M7', [anAlphaEvent('M7', { email: 'eve@x.example' })]);
    const id = required(stored);
    const listed = await ops(['events', 'list', '--tenant', tenantId, '--json']);
    expect(JSON.parse(listed.out)).toMatchObject([{ id, processed: false }]);
    const shown = await ops(['events', 'show', id]);
    expect(shown).toMatchObject({ status: 0, out: expect.stringContaining('payment.updated') });
    expect(shown.out).not.toContain('x.example');
    const replayed = await ops(['events', 'replay', id, '--json']);
    expect(JSON.parse(replayed.out)).toEqual([{ of: id, id, how: 'due' }]);

    const paymentId = await aCreditedPayment(db, await aWallet(db, { tenantId }), 12);
    await closeEvents(db, [id], { paymentId });
    const byProvider = `PAY_${paymentId}`;
    for (const args of [[paymentId], [byProvider], [byProvider, '--tenant', tenantId]]) {
      const { out } = await ops(['payment', 'show', ...args, '--json']);
      expect(JSON.parse(out)).toMatchObject({
        payment: { id: paymentId },
        events: [{ id }],
        entries: [{ points: 12 }],
        workflows: {
          query: expect.stringContaining(`TenantIds = "${tenantId}"`),
          ifFirstOfItsBatch: [`ingest/alpha/${id}`],
        },
      });
    }
    expect((await ops(['payment', 'show', paymentId])).out).toMatch(/Ledger entries \(1\)/);
    const connections = await ops(['connections', '--tenant', tenantId]);
    expect(connections.out).toMatch(/M7 +active/);
    expect(connections.out).not.toContain('v1.k1');
  });
});

describe('rotate-keys', () => {
  it('seals everything under the new key, and changes nothing when run again', async () => {
    const tenantId = TenantId.parse(await aTenant(db));
    await anAlphaConnection(db, { tenantId, merchantId: 'M8', accessToken: 'secret-token' });
    const issued = await aRedemption(db);
    const { status, out, err } = await ops(['rotate-keys', '--json'], configuration);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({ keyId: 'k2', failed: [], resealed: { codes: 1 } });

    const row = await db('pos_connections').where({ tenantId }).first();
    const context = { tenantId, provider: 'alpha', field: 'access_token' };
    const sealer = createSealer([NEW_KEY]);
    expect(sealer.open(Sealed.parse(row.sealedAccessToken), context)).toBe('secret-token');
    const codes = createRedemptionCodes([NEW_KEY]);
    const { sealedCode } = await redemptionRow(db, issued.id);
    const owner = { id: RedemptionId.parse(issued.id), tenantId: issued.tenantId };
    expect(codes.open(Sealed.parse(sealedCode), owner)).toBe(issued.code);
    expect(await db('redemptions').where('codeHmac', codes.hmacsOf(issued.code)[0])).toHaveLength(
      1,
    );

    const again = await ops(['rotate-keys', '--json'], configuration);
    expect(JSON.parse(again.out)).toMatchObject({
      resealed: { connections: 0, codes: 0, authorizations: 0 },
    });
    const entry = { actor: 'ops', actorUserId: null, action: 'key.rotate', targetType: 'key' };
    expect(await db('audit_log').where({ action: 'key.rotate' }).orderBy('seq')).toMatchObject([
      { ...entry, after: { keyId: 'k2', resealed: expect.any(Number), failed: 0 } },
      { ...entry, after: { keyId: 'k2', resealed: 0, failed: 0 } },
    ]);
    // Everything that this service stores from here on needs the new key alone.
    expect((await ops(['rotate-keys'], configuration)).out).toMatch(
      /closedCodes +0, until 20.*\n(.* 0, until 20.*\n){4}Older keys are no longer needed/,
    );
  });

  it('exits 1 and names what no key can open, and seals the rest', async () => {
    const [lost, other] = [await aTenant(db), await aTenant(db)];
    await anAlphaConnection(db, { tenantId: lost, merchantId: 'M9' });
    await anAlphaConnection(db, { tenantId: other, merchantId: 'M10' });
    const { id } = await db('pos_connections').where({ tenantId: lost }).first('id');
    await db('pos_connections')
      .where({ id })
      .update({ sealedAccessToken: `v1.k0.${randomUUID()}` });
    const { status, out } = await ops(['rotate-keys'], configuration);
    expect(status).toBe(1);
    expect(out).toContain(`NOT sealed again: connection ${id}`);
    const row = await db('pos_connections').where({ tenantId: other }).first();
    expect(row.sealedAccessToken).toMatch(/^v1\.k2\./);
  });
});

describe('export-ledger', () => {
  it('writes a line for every entry, as CSV or JSON', async () => {
    const tenantId = await aTenant(db);
    const walletId = await aWallet(db, { tenantId, balance: 25 });
    const { status, out } = await ops(['export-ledger', tenantId]);
    expect(status).toBe(0);
    const [heading, line, end] = out.split('\n');
    expect(heading).toMatch(/^entry_id,wallet_id,.*,created_at,hash$/);
    expect(line).toContain(`,${walletId},`);
    expect(line).toMatch(
      /,1,credit,25,25,admin_adjustment,adjustment,[0-9a-f-]{36},20.*Z,[0-9a-f]{64}$/,
    );
    expect(end).toBe('');
    const json = await ops(['export-ledger', tenantId, '--json']);
    const entry = JSON.parse(json.out);
    expect(entry).toMatchObject({ walletId, seq: 1, points: 25 });
    // By the rules for proofs: what is exported is what the hash covers.
    const at = Date.parse(`${entry.createdAt.slice(0, 19)}Z`) * 1_000;
    const micros = at + Number(entry.createdAt.slice(20, 26));
    const { id, entryType, points, balanceAfter, reason, sourceType, sourceId, hash } = entry;
    const values = [entryType, points, balanceAfter, reason, sourceType, sourceId, micros];
    const covered = [id, walletId, 1, ...values].join('|');
    const ofEntry = createHash('sha256').update(Buffer.alloc(32)).update(covered);
    expect(hash).toBe(ofEntry.digest('hex'));
    const rest = await ops(['export-ledger', tenantId, '--after', `${walletId}:0`]);
    expect(rest).toMatchObject({ status: 0, out: `${line}\n` });
    const none = await ops(['export-ledger', tenantId, '--after', `${walletId}:1`]);
    expect(none).toMatchObject({ status: 0, out: '' });
    const wrong = await ops(['export-ledger', tenantId, '--after', walletId]);
    expect(wrong).toMatchObject({ status: 2, err: expect.stringContaining('--after must be') });
  });

  it('writes the heading alone without entries, and nothing for an unknown tenant', async () => {
    const empty = await ops(['export-ledger', await aTenant(db)]);
    expect(empty).toMatchObject({ status: 0, out: expect.stringMatching(/^entry_id[^\n]*\n$/) });
    const unknown = await ops(['export-ledger', randomUUID()]);
    expect(unknown).toEqual({ status: 1, out: '', err: 'There is no such tenant.\n' });
  });
});

describe('set-currency', () => {
  it('corrects the currency once in the audit log, and credits what was refused', async () => {
    const tenantId = await aTenant(db);
    await aRule(db, tenantId);
    await db('tenants').where('id', tenantId).update({ currency: 'USD' });
    const email = `${randomUUID()}@example.com`;
    const userId = await aUser(db, { email });
    await (await aTill(db, tenantId))({ email, amount: 70 });

    const run = () => ops(['set-currency', tenantId, 'eur'], configuration);
    expect(await run()).toEqual({
      status: 0,
      out:
        'The currency is EUR now; it was USD.\n' +
        '1 payments were decided again: 70 points credited.\n',
      err: '',
    });
    expect(await db('wallets').where({ userId }).pluck('balance')).toEqual([70]);
    expect((await run()).out).toContain('The currency is EUR already.\n0 payments');
    expect(await db('audit_log').where({ tenantId })).toMatchObject([
      {
        actorUserId: null,
        action: 'tenant.set_currency',
        targetType: 'tenant',
        targetId: tenantId,
        before: { currency: 'USD' },
        after: { currency: 'EUR' },
      },
    ]);
  });

  it('exits 1 for an unknown tenant', async () => {
    const { status, err } = await ops(['set-currency', randomUUID(), 'EUR'], configuration);
    expect({ status, err }).toEqual({ status: 1, err: 'There is no such tenant.\n' });
  });
});

describe('recount', () => {
  it('counts a tenant again, or all connections, and refuses an unknown tenant', async () => {
    const tenantId = await aTenant(db);
    await aWallet(db, { tenantId });
    const wrong = { number: 7, createdBefore: db.fn.now() };
    await db('tenant_counts').insert({ tenantId, counted: 'wallets', ...wrong });
    const { out } = await ops(['recount', tenantId, '--json']);
    expect(JSON.parse(out)).toEqual({ wallets: 1, payments: 0 });
    const { alpha } = await countByProvider(db);
    await db('connection_counts').where({ slot: 0 }).increment('active', 7);
    const connections = await ops(['recount', '--json']);
    expect(JSON.parse(connections.out)).toMatchObject({ alpha: alpha.active });
    expect(await ops(['recount', randomUUID()])).toMatchObject({ status: 1 });
  });
});

describe('redemption show', () => {
  it('shows a redemption and how to find its run', async () => {
    const issued = await aRedemption(db);
    const shown = async (id: string) =>
      JSON.parse((await ops(['redemption', 'show', id, '--json'])).out);
    expect(await shown(issued.id)).toMatchObject({ status: 'issued', workflow: {} });
    const runId = randomUUID();
    await follow(db, { runId, ids: [issued.id] });
    expect(await shown(issued.id)).toMatchObject({ workflow: { query: `RunId = "${runId}"` } });
    const { out } = await ops(['redemption', 'show', issued.id]);
    expect(out).toContain(runId);
    expect(out).not.toContain(issued.code);
    expect(await ops(['redemption', 'show', randomUUID()])).toMatchObject({ status: 1 });
  });
});
