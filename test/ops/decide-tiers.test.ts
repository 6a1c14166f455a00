import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { dayBefore, dayTextOf } from '../../domain/intervals.ts';
import { aProgramme, aTenant, aWallet } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { runOpsHere } from '../support/run-ops.ts';

const database = await useDatabase();
const { db } = database;
const today = dayTextOf(new Date(), 'UTC');
const tomorrow = dayBefore(today, -1);

const ops = (args: string[], env: Record<string, string> = {}) =>
  runOpsHere(['decide-tiers', ...args], { DATABASE_URL: database.url, ...env });

it('decides a day, and one to come in a sandbox, but none before another', async () => {
  const tenantId = await aTenant(db);
  const tier = { key: 'gold', name: 'Gold', thresholdMinorUnits: 1, multiplier: 2 };
  await aProgramme(db, tenantId, { tiers: [tier] });
  await aWallet(db, { tenantId });
  const out = `${today}: 0 of 1 customers have another tier.\n`;
  expect(await ops([tenantId, today], { ALPHA_ENVIRONMENT: 'production' })).toMatchObject({ out });
  const production = { ALPHA_ENVIRONMENT: 'production', BETA_ENVIRONMENT: 'sandbox' };
  expect(await ops([tenantId, tomorrow], production)).toMatchObject({
    status: 1,
    err: expect.stringContaining('ALPHA_ENVIRONMENT is production, BETA_ENVIRONMENT is sandbox'),
  });
  expect(await ops([tenantId, tomorrow])).toMatchObject({ status: 0 });
  expect(await ops([tenantId, today])).toMatchObject({
    status: 1,
    err: expect.stringContaining(`They were decided for ${tomorrow} already`),
  });
});

it('decides nothing of a shop that is suspended', async () => {
  const tenantId = await aTenant(db);
  await aProgramme(db, tenantId, {});
  await db('tenants').where('id', tenantId).update({ suspendedAt: new Date() });
  expect((await ops([tenantId, today])).err).toContain('The tenant is suspended: its tiers stay.');
});

it.each([
  { args: [], says: 'TENANT is missing.' },
  { args: [randomUUID()], says: 'DAY is missing.' },
  { args: [randomUUID(), '2026-02-30'], says: 'DAY must be a day such as 2026-03-31.' },
  { args: [randomUUID(), '2026-03-31'], says: 'There is no such tenant.' },
])('refuses $args: $says', async ({ args, says }) => {
  expect((await ops(args)).err).toContain(says);
});

it('refuses a shop without a programme', async () => {
  const tenantId = await aTenant(db);
  expect((await ops([tenantId, today])).err).toContain('has published no programme');
});

it('decides nothing where programmes are off', async () => {
  const tenantId = await aTenant(db);
  await aProgramme(db, tenantId, {});
  const { status, err } = await ops([tenantId, today], { PROGRAMME: 'off' });
  expect([status, err]).toEqual([1, expect.stringContaining('PROGRAMME is off')]);
});
