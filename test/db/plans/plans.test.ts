import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../../db/connection.ts';
import { keepPartitions } from '../../../db/events/retention.ts';
import { updateStatistics } from '../../../db/schema/statistics.ts';
import { sessionSettings } from '../../../db/session-settings.ts';
import {
  createUnverifiedDatabase,
  type TestDatabase,
} from '../../support/database/test-database.ts';
import { ALL_CASES } from './all-cases.ts';
import type { Case } from './cases.ts';
import { fill } from './data.ts';
import { capture, explain } from './explain.ts';
import { findingsIn } from './findings.ts';

const CASES = ALL_CASES.map((each) => ({
  ...each,
  title: [each.covers, each.when ?? []].flat().join(' '),
}));

const FEW = 20;
const settings = Object.entries(sessionSettings())
  .map(([name, value]) => `set ${name} = '${value}'`)
  .join(';');

/** Tables of a size, and what the planner knows of them. */
const STATES: Record<string, (owner: Db) => Promise<unknown>> = {
  'with a few rows, never analysed': (owner) => fill(owner, FEW),
  'with a few rows, analysed while empty, then migrated': async (owner) => {
    await owner.raw('analyze');
    await updateStatistics(owner);
    await fill(owner, FEW);
  },
  'with a few rows, analysed': async (owner) => {
    await fill(owner, FEW);
    await owner.raw('analyze');
    await keepPartitions(owner);
  },
  'with a few rows, whose queues have run empty': async (owner) => {
    await fill(owner, FEW);
    await owner.raw('vacuum analyze');
    await keepPartitions(owner);
    await owner.raw('delete from pending_events; delete from stalled_events');
    await owner.raw('vacuum analyze pending_events, stalled_events');
  },
  'with many rows': async (owner) => {
    await fill(owner, 20_000);
    await owner.raw('vacuum analyze');
    await keepPartitions(owner);
  },
};

describe.each(Object.entries(STATES))('tables %s', (state, prepare) => {
  let database: TestDatabase;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createUnverifiedDatabase();
    await prepare(database.owner);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(settings);
  }, 300_000);
  afterAll(async () => {
    await client.end();
    await database.close();
  });

  /**
   * A plan that is kept knows no values of parameters and may be older than the rows, so it must
   * hold at every size. The others are made for the values and the sizes of their moment.
   */
  async function findingsOf(each: Case): Promise<string[]> {
    const statements = await capture(database.db, (tx) => each.run(tx));
    expect(statements.length).toBeGreaterThan(0);
    const asKept = await explain(client, statements, 'force_generic_plan');
    const asMade = await explain(client, statements, 'force_custom_plan');
    const judged = [
      ...asKept.filter(({ isKept }) => isKept),
      ...asMade.filter(({ isKept }) => isKept || state === 'with many rows'),
    ];
    return judged.flatMap((one) => findingsIn(one, each));
  }

  it.each(CASES)('$title touches what it returns', async (each) => {
    const findings = await findingsOf(each);
    expect(findings.join('\n')).toBe('');
  });
});
