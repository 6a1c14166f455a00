import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import * as programmes from '../../db/tenants/programme.ts';
import { aTenant } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { runOpsHere } from '../support/run-ops.ts';

const database = await useDatabase();
const { db } = database;
const folder = await mkdtemp(join(tmpdir(), 'programme-'));
afterAll(() => rm(folder, { recursive: true }));

const file = join(folder, 'programme.json');
const tenantId = await aTenant(db, { country: 'DE' });

async function publish(
  programme: object,
  { at = '2026-01-31T12:00:00Z', env = {} }: { at?: string; env?: NodeJS.ProcessEnv } = {},
) {
  await writeFile(file, JSON.stringify(programme));
  const args = ['publish-programme', tenantId, file, '--at', at];
  return runOpsHere(args, { DATABASE_URL: database.url, ...env });
}
const versions = () => programmes.list(db, tenantId, { limit: 10 });

describe('publish-programme', () => {
  it('publishes as of a time that is over, as an operator, and never before another', async () => {
    const out = 'Version 1 of the programme governs since 2026-01-31T12:00:00.000Z.\n';
    expect(await publish({ validityMonths: 12 })).toEqual({ status: 0, out, err: '' });
    const publishedAt = new Date('2026-01-31T12:00:00Z');
    const first = { version: 1, validityMonths: 12, timeZone: 'Europe/Berlin', publishedAt };
    expect(await versions()).toMatchObject([first]);
    const audited = { actor: 'ops', actorUserId: null, action: 'programme.publish' };
    expect(await db('audit_log').where({ tenantId })).toMatchObject([audited]);

    const err = 'The version before is of 2026-01-31T12:00:00.000Z: --at a later time.\n';
    const earlier = await publish({ validityMonths: 6 }, { at: '2026-01-31T11:59:59Z' });
    expect(earlier).toEqual({ status: 1, out: '', err });
    expect(await versions()).toMatchObject([first]);

    expect(await publish({}, { at: '2026-02-01T00:00:00Z' })).toMatchObject({ status: 0 });
    expect(await versions()).toMatchObject([{ version: 2, validityMonths: null }, first]);
  });

  it.each([
    [{}, { at: '2999-01-01T00:00:00Z' }, 2, '--at must be a time that is over'],
    [{}, { at: 'soon' }, 2, '--at must be a time that is over'],
    [{ validityMonths: 0 }, {}, 2, 'is no programme: validityMonths'],
    [{ tier: [] }, {}, 2, 'is no programme'],
    [
      {},
      { env: { BETA_ENVIRONMENT: 'production' } },
      1,
      'ALPHA_ENVIRONMENT is sandbox, BETA_ENVIRONMENT is production',
    ],
  ])('publishes nothing for %j %j', async (programme, given, status, says) => {
    const before = await versions();
    const done = await publish(programme, given);
    expect(done).toEqual({ status, out: '', err: expect.stringContaining(says) });
    expect(await versions()).toEqual(before);
  });
});
