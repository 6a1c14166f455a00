import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyLedger } from '../../db/ledger/verification/whole.ts';
import { type Deployment, startDeployment } from './deployment.ts';
import { createFaults, type Faults } from './faults.ts';
import { generate } from './generate.ts';
import { createLeakSearch, type LeakSearch } from './leaks.ts';
import { play } from './play.ts';
import { inLanes } from './run.ts';
import { History, type Policies } from './steps.ts';

const FOLDER = new URL('histories/', import.meta.url);
const KEPT = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => History.parse(JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'))));

/**
 * Seeds that draw every kind of step and most kinds of faults together. The default policies come
 * first: the processes are started again for the others.
 */
const DEFAULT: Policies = { expiredCodes: 'refund', refunds: 'reverse' };
const OTHERS: Policies = { expiredCodes: 'forfeit', refunds: 'ignore' };
const BLOCKS: { policies: Policies; seeds: readonly number[] }[] = [
  { policies: DEFAULT, seeds: [1065, 1542, 1618, 1169, 1014, 1029] },
  { policies: OTHERS, seeds: [4512, 4211, 4044, 4001, 4025] },
];
const LANES = 6;

let deployment: Deployment;
let faults: Faults;
let search: LeakSearch;
beforeAll(async () => {
  const report = () => undefined;
  deployment = await startDeployment({ seed: 1, replicas: 1, policies: DEFAULT, report });
  faults = createFaults(deployment);
  search = createLeakSearch(deployment);
}, 180_000);
afterAll(() => deployment.close());

describe.each(BLOCKS)('with $policies', ({ policies, seeds }) => {
  beforeAll(async () => {
    if (policies !== DEFAULT) await deployment.changePolicies(policies);
  }, 120_000);

  it('the service does what the model says, under faults', async () => {
    const random = seeds.map((seed) => generate({ seed, steps: 40, faults: 1, policies }));
    const kept = KEPT.filter((each) => JSON.stringify(each.policies) === JSON.stringify(policies));
    const failures = await inLanes([...kept, ...random], LANES, async (history) => {
      const { failure } = await play({ deployment, faults }, history);
      return failure === undefined ? [] : [`Seed ${history.seed}: ${failure.message}`];
    });
    expect(failures.flat()).toEqual([]);
    expect((await verifyLedger(deployment.db)).violations).toEqual([]);
  }, 240_000);

  it('nothing that it writes down holds a secret or a contact', async () => {
    const [{ id }] = await deployment.db('tenants').orderBy('createdAt', 'desc').limit(1);
    const { leaks, outputs, values } = await search.search([id]);
    expect(leaks).toEqual([]);
    // An id that is no secret shows that they were read.
    expect(outputs).toEqual(expect.arrayContaining(['histories', 'log api.log']));
    expect(values).toBeGreaterThan(100);
  }, 120_000);
});

it('its events are in tables of several months', async () => {
  const { rows } = await deployment.db.raw<{ rows: { months: number }[] }>(
    'select count(distinct tableoid)::integer as months from event_outcomes',
  );
  expect(rows[0]?.months).toBeGreaterThan(2);
});
