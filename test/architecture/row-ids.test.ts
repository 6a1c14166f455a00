import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as auditLog from '../../db/audit-log.ts';
import * as oauthAttempts from '../../db/connections/oauth-attempts.ts';
import * as wallets from '../../db/ledger/wallets.ts';
import { signIn } from '../../db/users/users.ts';
import { AttemptId } from '../../domain/ids.ts';
import { anAlphaConnection, aRule, aTenant, aUser, testSealer } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { anInvite } from '../support/people/invites.ts';

const { db } = await useDatabase();

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS = ['activities', 'api', 'db', 'domain', 'gateways', 'ops', 'worker', 'workflows'];

/** The files that make a random UUID, and why it is no row's id. */
const RANDOM: Record<string, string> = {
  'activities/connections/token-refresh.ts': 'the holder of a claim',
  'activities/ingestion/events/leased-events.ts': 'the holder of a lease',
  'activities/polling/poll-connection.ts': 'the holder of a lease',
  'api/cron-jobs.ts': 'the holder of a lease',
  'api/http/requests/malformed-requests.ts': 'the id of a request',
  'api/http/middleware/correlation-id.ts': 'the id of a request',
  'api/routes/client/pos-connections.ts': 'the nonce of a state, which no one may guess',
  'db/audit-log.ts': 'the id of a command, in place of that of a request',
  'db/users/erasing.ts': 'the subject of nobody',
  'gateways/objects/file-store.ts': 'the name of an unfinished file',
  'ops/truth.ts': 'the name of a run',
  'worker/event-watch.ts': 'the holder of a turn',
};

const makesRandomId = (text: string) => /\b(?:randomUUID|gen_random_uuid|uuidv?4)\b/.test(text);

describe('the ids of rows', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => `${folder}/${path}`),
  );

  it('are made by newId: a random UUID is made for other reasons only', () => {
    expect(files.length).toBeGreaterThan(200);
    const random = files.filter((path) => makesRandomId(readFileSync(`${ROOT}/${path}`, 'utf8')));
    expect(random.sort()).toEqual(Object.keys(RANDOM).sort());
  });

  it.each(['id: randomUUID(),', 'select gen_random_uuid() as id', 'import { v4 as uuidv4 }'])(
    'would be found as random in %s',
    (text) => expect(makesRandomId(text)).toBe(true),
  );
});

describe('a table whose ids have a default, for rows that are made by hand', () => {
  const policy = {
    adminEmailDomain: '',
    bootstrapAdminEmails: [],
    proofs: testSealer.fingerprints,
    requestId: 'test',
  };
  const NEW_ROWS = {
    users: async () => {
      const claims = { iss: 'i', sub: randomUUID(), email: null, phone: null, name: null };
      const unverified = { emailVerified: false, phoneVerified: false, clientIntent: false };
      return (await signIn(db, { ...claims, ...unverified }, policy)).id;
    },
    tenants: () => aTenant(db),
    reward_rules: async () => {
      const tenantId = await aTenant(db);
      await aRule(db, tenantId);
      return idIn('reward_rules', { tenantId });
    },
    pos_connections: async () => {
      const tenantId = await aTenant(db);
      await anAlphaConnection(db, { tenantId, merchantId: randomUUID() });
      return idIn('pos_connections', { tenantId });
    },
    invites: async () => (await anInvite(db)).id,
    audit_log: async () => {
      const [tenantId, nothing] = [await aTenant(db), { before: {}, after: {}, reason: null }];
      const action = { action: 'tenant.set_currency', targetType: 'tenant' } as const;
      const entry = { ...auditLog.byOps(), ...action, targetId: tenantId, tenantId, ...nothing };
      await db.transaction((tx) => auditLog.insert(tx, entry));
      return idIn('audit_log', { tenantId });
    },
    wallets: async () => {
      const owner = { userId: await aUser(db), tenantId: await aTenant(db) };
      return db.transaction((tx) => wallets.ensureOne(tx, owner));
    },
  };
  const idIn = async (table: string, where: object) => (await db(table).where(where).first()).id;

  it('is one of these', async () => {
    const { rows } = await db.raw<{ rows: { name: string }[] }>(
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and column_default like 'gen_random_uuid()%'`,
    );
    expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(NEW_ROWS).sort());
  });

  it.each(Object.entries(NEW_ROWS))('%s gets ids that ascend', async (_, newRow) => {
    const ids = [await newRow(), await newRow(), await newRow()];
    for (const id of ids) expect(id).toMatch(/^.{14}7/);
    expect(ids).toEqual([...ids].sort());
  });

  it('also a connection that is still to be made, which its attempt names', async () => {
    const tenantId = await aTenant(db);
    const sealedCode = testSealer.seal('code', { tenantId, provider: 'alpha', field: 'f' });
    const id = AttemptId.parse(randomUUID());
    const attempt = {
      id,
      tenantId,
      provider: 'alpha',
      claimedMerchantId: null,
      sealedCode,
      startedBy: { userId: await aUser(db), correlationId: 'the-request', requestId: randomUUID() },
    } as const;
    const connectionId = await db.transaction((tx) => oauthAttempts.insert(tx, attempt));
    expect(connectionId).toMatch(/^.{14}7/);
  });
});
