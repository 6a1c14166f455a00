import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { unownedIn } from './tenant-rules.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A file, or a function of one, whose statements name no owner, and why they need not. */
const EXEMPT: Record<string, string> = {
  'db/key-rotation.ts': 'an operator of the service rotates the keys of all tenants',
  'db/connections/counts.ts': 'counts the connections of all tenants',
  'db/connections/poll-leases.ts': 'the poll holds the lease of the connection it names',
  'db/connections/pos-connections.ts: BEGIN': 'the caller has just connected the tenant',
  'db/users/contacts.ts': 'compares new users with the payments of all tenants',
  'db/connections/poll-positions.ts': 'the poll holds the lease of the connection it names',
  'db/connections/revocations.ts': 'revokes for all tenants, in the background',
  'db/connections/tokens.ts': 'the caller has read the connection for its tenant',
  'db/payments/contacts.ts': 'the caller has locked the payment by its tenant',
  'db/payments/revisions.ts': 'the caller has locked the payment by its tenant',
  'db/payments/trail.ts': 'an operator of the service looks for a payment of any tenant',
  'db/redemptions/following.ts': 'runs name the redemptions that they follow',
  'db/redemptions/mails.ts: nextCodeMailInMs': 'runs name the redemptions that they follow',
  'db/redemptions/mails.ts: mark': 'runs name the redemptions that they follow',
  'db/redemptions/lifecycle.ts': 'runs and sweep name the redemption that they follow',
  'db/users/invite-mails.ts': 'the run of an invite names it',
  'db/connections/accounts.ts': 'runs read the accounts of all tenants, and name the connection',
  'db/connections/availability.ts': 'whoever asks has the connection; the sweep probes all',
  'db/notices/points.ts: hasNews': 'looks for what is new of all tenants',
  'db/outgoing/positions.ts': 'looks for what is new of all tenants',
  'db/outgoing/events.ts: deleteOld': 'deletes those of all tenants',
  'db/outgoing/failing-endpoints.ts': 'the background disables those of all tenants',
  'db/outgoing/attempts.ts': 'the endpoint was claimed by its tenant',
  'db/outgoing/endpoints.ts: create': 'the new row has its tenant',
  'db/outgoing/endpoints.ts: remove': 'the endpoint was locked as the tenant’s',
  'db/outgoing/endpoints.ts: park': 'the caller has locked the endpoint',
  'db/outgoing/endpoints.ts: revive': 'the caller has locked the endpoint',
  'db/ledger/verification/sources.ts: noEntry': 'verifies the ledgers of all tenants',
  'db/ledger/verification/counts.ts: verifyConnectionCounts': 'counts those of all tenants',
  'db/ledger/verification/wallets.ts: nextWallets': 'verifies the ledgers of all tenants',
  'db/users/invite-decisions.ts: decline': 'the caller has locked the invite as its person',
};

const files = readdirSync(`${ROOT}/db`, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => `db/${path}`);
const unowned = files.flatMap((path) =>
  unownedIn({ path, text: readFileSync(`${ROOT}/${path}`, 'utf8') }),
);

describe('every statement over the rows of a tenant', () => {
  it('names the tenant, the user or the wallet, or is an exception with a reason', () => {
    expect(files.length).toBeGreaterThan(30);
    const broken = unowned.filter((each) => {
      const [file = ''] = each.split(': ');
      return EXEMPT[each] === undefined && EXEMPT[file] === undefined;
    });
    expect(broken).toEqual([]);
  });

  it('no exception is without use', () => {
    const used = unowned.flatMap((each) => [each, each.split(': ')[0]]);
    expect(Object.keys(EXEMPT).filter((each) => !used.includes(each))).toEqual([]);
  });
});

describe('the rule', () => {
  const findings = (text: string) => unownedIn({ path: 'db/a.ts', text });
  const inFunction = (line: string) => `export function f(db) {\n  ${line}\n}`;

  it.each([
    "return db('payments').where({ id });",
    "return tx('wallets as w').where('w.id', id).first();",
    "const older = db('invites').where({ id }).select('createdAt');",
    'return db.raw(`select * from redemptions where id = :id`, { id });',
    "return db.raw('update pos_connections set status = 1 where id = ?', [id]);",
    ['return db.raw(`select ${', 'COLUMNS} from payments p where p.id = :id`);'].join(''),
  ])('finds %s', (line) => {
    expect(findings(inFunction(line))).toEqual(['db/a.ts: f']);
  });

  it.each([
    "return db('payments').where({ id, tenantId });",
    "return db('wallets').where('userId', userId).first();",
    'return db.raw(`select * from redemptions where id = :id and tenant_id = :tenant`);',
    'return db.raw(`update ledger_entries set a = 1 where wallet_id = :id`);',
    "return db('users').where({ id });",
    'return db.raw(`select 1 from users where id = :id`);',
  ])('accepts %s', (line) => {
    expect(findings(inFunction(line))).toEqual([]);
  });

  it('names the constant that holds a statement, and looks at the folder of SQL only', () => {
    const text = 'const ALL = `select 1 from payments`;';
    expect(unownedIn({ path: 'db/a.ts', text })).toEqual(['db/a.ts: ALL']);
    expect(unownedIn({ path: 'bench/a.ts', text })).toEqual([]);
  });
});
