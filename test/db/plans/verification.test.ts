import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LAST_ID, verifyRange, WALKS } from '../../../db/ledger/verification/whole.ts';
import { sessionSettings } from '../../../db/session-settings.ts';
import {
  createUnverifiedDatabase,
  type TestDatabase,
} from '../../support/database/test-database.ts';
import { capture, explain } from './explain.ts';
import { findingsIn } from './findings.ts';
import { ID_OF, id, into } from './rows.ts';

const WALLETS = 10_000;
const ENTRIES = 5;
/** Each has an entry, a fifth of them of the nth wallet. */
const PAYMENTS = WALLETS * ENTRIES;
const LIMIT = 1_000;

const MIDDLE = '80000000-0000-7000-8000-000000000000';

const WALLET = `((n - 1) / ${ENTRIES} + 1)`;
const ROWS = [
  into(
    'wallets',
    {
      id: id('wallet'),
      tenant_id: id('tenant', '1'),
      user_id: id('user'),
      balance: String(ENTRIES),
      seq: String(ENTRIES),
    },
    String(WALLETS),
  ),
  into(
    'ledger_entries',
    {
      id: id('entry', `n - ${PAYMENTS}`),
      wallet_id: id('wallet', WALLET),
      seq: `1 + (n - 1) % ${ENTRIES}`,
      entry_type: `'credit'`,
      points: '1',
      balance_after: `1 + (n - 1) % ${ENTRIES}`,
      reason: `'purchase'`,
      source_type: `'payment'`,
      source_id: id('payment'),
      created_at: 'now()',
      hash: `sha256('many')`,
    },
    String(PAYMENTS),
  ),
  into(
    'payments',
    {
      id: id('payment'),
      tenant_id: id('tenant', '1'),
      provider: `'alpha'`,
      provider_payment_id: `'P' || n`,
      amount_minor_units: '100',
      tip_minor_units: '0',
      refunded_minor_units: '0',
      currency: `'EUR'`,
      occurred_at: 'now()',
      changed_at: 'now()',
      refunded_as_of: 'now()',
      outcome: `'credited'`,
      wallet_id: id('wallet', WALLET),
      user_id: id('user', WALLET),
      points_awarded: '1',
      rule_version: '1',
      decision: `'{}'`,
      decision_facts: '256',
      created_at: 'now()',
    },
    String(PAYMENTS),
  ),
];

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createUnverifiedDatabase();
  await database.owner.transaction(async (tx) => {
    await tx.raw(ID_OF);
    for (const rows of ROWS) await tx.raw(rows);
    // As when there are so many that a slice of them lies between two values of a histogram: the
    // planner then expects a single row.
    await tx.raw('set local default_statistics_target = 1');
    await tx.raw('analyze');
  });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  for (const [name, value] of Object.entries(sessionSettings())) {
    await client.query(`set ${name} = '${value}'`);
  }
}, 120_000);
afterAll(async () => {
  await client.end();
  await database.close();
});

it.each(WALKS)('a slice of %s compares no row with all the others', async (walk) => {
  const range = { after: MIDDLE, until: LAST_ID, limit: LIMIT };
  const statements = await capture(database.db, (tx) => verifyRange(tx, walk, range));
  const explained = await explain(client, statements, 'force_custom_plan');
  const found = explained.flatMap((one) => findingsIn(one, { rows: LIMIT * ENTRIES }));
  // Tables without rows may be scanned.
  expect(found.filter((finding) => finding.includes('removes')).join('\n')).toBe('');
});
