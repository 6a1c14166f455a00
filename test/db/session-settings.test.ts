import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { connect } from '../../db/connection.ts';
import {
  openSession,
  requireLimits,
  sessionSettings,
  storeSettings,
} from '../../db/session-settings.ts';
import { useDatabase } from '../support/fixtures.ts';

const database = await useDatabase();
const { db } = database;

async function aClient(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return client;
}
const timeoutOf = async (client: pg.Client): Promise<unknown> => {
  const { rows } = await client.query(`select current_setting('statement_timeout') as it`);
  return rows[0].it;
};

describe('a session', () => {
  it('gets what its role lacks', async () => {
    const client = await aClient();
    expect(await timeoutOf(client)).toBe('0');
    await openSession({ ...asRaw(client) }, sessionSettings(2_000));
    expect(await timeoutOf(client)).toBe('2s');
    await client.end();
  });

  it('behind a pooler sets nothing, since that would be for others', async () => {
    const client = await aClient();
    await openSession({ ...asRaw(client), processID: 1 }, sessionSettings());
    expect(await timeoutOf(client)).toBe('0');
    await client.end();
  });
});

function asRaw(client: pg.Client) {
  return {
    processID: 'processID' in client ? Number(client.processID) : null,
    query: (text: string) => client.query(text),
    end: () => client.end(),
  };
}

describe('storeSettings', () => {
  it('gives every later session of the role its settings, and may run several times', async () => {
    await Promise.all([storeSettings(db), storeSettings(db), storeSettings(db)]);
    const client = await aClient();
    expect(await timeoutOf(client)).toBe('15s');
    const { rows } = await client.query('show random_page_cost');
    expect(rows).toEqual([{ random_page_cost: sessionSettings().random_page_cost }]);
    await client.end();
  });

  it('leaves limits of its own to a session that needs others', async () => {
    await storeSettings(db);
    const patient = connect(database.url, 1, 'loyalty-test', 300_000);
    const { rows } = await patient.raw('show statement_timeout');
    expect(rows).toEqual([{ statementTimeout: '5min' }]);
    await patient.destroy();
  });
});

describe('requireLimits', () => {
  it('is content with limits, and with stricter ones', async () => {
    await requireLimits(db);
    const strict = connect(database.url, 1, 'loyalty-test', 1_000);
    await requireLimits(strict);
    await strict.destroy();
  });

  it.each([
    [0, 'statement_timeout is 0'],
    [60_000, 'statement_timeout is 60000'],
  ])('says what to do when statements may take %i ms', async (milliseconds, text) => {
    const unlimited = connect(database.url, 1, 'loyalty-test', milliseconds);
    const refused = requireLimits(unlimited);
    await expect(refused).rejects.toThrow(text);
    await expect(refused).rejects.toThrow('alter role loyalty_service in database test_');
    await unlimited.destroy();
  });

  it('leaves a database that does not answer to those who need it', async () => {
    const nowhere = connect('postgres://127.0.0.1:9/none', 1, 'loyalty-test');
    await requireLimits(nowhere);
    await nowhere.destroy();
  });
});
