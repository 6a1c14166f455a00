import { expect, it } from 'vitest';
import { testKeys } from '../support/factories.ts';
import { useDatabase } from '../support/fixtures.ts';
import { useSilentShop } from '../support/providers/silent-shop.ts';
import { runOpsHere } from '../support/run-ops.ts';

const database = await useDatabase();
const { db } = database;
const silent = useSilentShop(db);

function ops(args: string[], env: Record<string, string> = {}) {
  const { alpha, beta } = silent.simulators;
  return runOpsHere(args, {
    DATABASE_URL: database.url,
    API_BASE_URL: 'https://api.shop.example',
    ENCRYPTION_KEY: Buffer.from(testKeys[0]?.key ?? []).toString('hex'),
    ALPHA_ORIGIN: alpha.url,
    BETA_API_ORIGIN: beta.url,
    BETA_WEB_ORIGIN: beta.url,
    ...env,
  });
}

it('compares a day, and repairs what the settings say', async () => {
  const { alpha, beta } = silent.shop.connectionIds;
  silent.sell('alpha', 500);
  silent.sell('beta', 700);
  const { day } = silent;
  const ofAlpha = await ops(['truth', alpha, day]);
  const repaired = `${day} was repaired: 1 missing, 0 changed, 0 unknown, 1 repaired.\n`;
  expect(ofAlpha).toEqual({ status: 0, out: repaired, err: '' });
  const ofBeta = await ops(['truth', beta, day]);
  const differs = `${day} differs: 1 missing, 0 changed, 0 unknown, 0 repaired.\n`;
  expect(ofBeta).toEqual({ status: 0, out: differs, err: '' });
  expect(await silent.balance()).toBe(500);
  const both = await ops(['truth', beta, day], { TRUTH_REPAIRS: 'both' });
  expect(both.out).toBe(repaired);
  expect(await silent.balance()).toBe(1_200);
});

it('says why a day was not compared', async () => {
  const { beta } = silent.shop.connectionIds;
  const early = await ops(['truth', beta, '1999-12-30']);
  expect(early.out).toContain('it ended before the tenant had the account');
  await silent.simulators.beta.stop();
  const away = await ops(['truth', beta, silent.day]);
  expect(away).toMatchObject({ status: 1 });
  expect(away.out).toContain('its provider does not answer');
});

it.each([
  [['truth'], 'CONNECTION is missing.'],
  [['truth', 'X'], 'DAY is missing.'],
  [['truth', '6f9d4f63-5c0e-4a53-9a11-1d7f0a5b7c21', '2026-02-30'], 'DAY must be a day'],
])('refuses %j', async (args, said) => {
  const { status, err } = await ops(args);
  expect(status).toBe(2);
  expect(err).toContain(said);
});

it('compares no day to come but in a sandbox', async () => {
  const { beta } = silent.shop.connectionIds;
  const production = { ALPHA_ENVIRONMENT: 'production' };
  expect(await ops(['truth', beta, '2099-01-01'], production)).toMatchObject({ status: 1 });
  expect(await ops(['truth', beta, '2099-01-01'])).toMatchObject({ status: 0 });
  const nobodys = '6f9d4f63-5c0e-4a53-9a11-1d7f0a5b7c21';
  expect((await ops(['truth', nobodys, silent.day])).err).toContain('no such connection');
});

it('asks about silent accounts', async () => {
  silent.now = new Date(Date.now() - 3_600_000);
  silent.sell('beta', 700);
  const { status, out } = await ops(['check-gaps']);
  expect(status).toBe(0);
  expect(out).toMatch(/^\d+ asked about, 1 with missed sales\.\n$/);
});
