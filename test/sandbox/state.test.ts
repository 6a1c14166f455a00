import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importJWK, SignJWT } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { byProvider } from '../../domain/payment.ts';
import { loadState, newState, openState, sandboxDir, saveState } from '../../sandbox/state.ts';
import { useFolder } from './fixtures.ts';

const folder = useFolder('sandbox-state-');
let dir: string;

beforeEach(() => {
  dir = join(folder.path, '.sandbox');
});

describe('saveState and loadState', () => {
  it('return what was saved, and leave no other files', async () => {
    const state = await newState();
    state.ports.api = 3000;
    state.seeded = {
      tenantId: '9b2f3c1e-2f4a-4a53-9d10-3f1d9f1c9a01',
      accounts: byProvider((name) => ({ merchantId: `${name}-1`, customerId: 'CUST00000001' })),
    };
    saveState(dir, await newState());
    saveState(dir, state);
    expect(loadState(dir)).toEqual(state);
    expect(readdirSync(dir)).toEqual(['state.json']);
  });

  it('other users of the machine cannot read the secrets', async () => {
    saveState(dir, await newState());
    expect(statSync(join(dir, 'state.json')).mode & 0o777).toBe(0o600);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
  });

  it('undefined when nothing was saved, without creating the folder', () => {
    expect(loadState(dir)).toBeUndefined();
    expect(existsSync(dir)).toBe(false);
  });

  it.each([
    ['an empty file', () => ''],
    ['a torn file', (text: string) => text.slice(0, -20)],
    [
      'a secret in the wrong format',
      (text: string) => text.replace(/"encryptionKey": ".{9}/, '"encryptionKey": "'),
    ],
    ['a missing part', (text: string) => text.replace('"secrets"', '"other"')],
  ])('an error that says how to start over for %s', async (_name, damage) => {
    saveState(dir, await newState());
    const file = join(dir, 'state.json');
    writeFileSync(file, damage(readFileSync(file, 'utf8')));
    expect(() => loadState(dir)).toThrow(
      `${file} is damaged. Start over with: npm start -- --fresh`,
    );
  });

  it('the secrets of a provider are added to a state from before it existed', async () => {
    const { providers, ...others } = (await newState()).secrets;
    const { beta, ...earlier } = providers;
    const secrets = { ...others, providers: earlier };
    saveState(dir, await newState());
    const accounts = { alpha: { merchantId: 'M1', customerId: 'C1' } };
    const seeded = { tenantId: randomUUID(), accounts };
    writeFileSync(join(dir, 'state.json'), JSON.stringify({ ports: {}, secrets, seeded }));
    const state = loadState(dir);
    expect(state?.secrets).toMatchObject(secrets);
    expect(state?.secrets.providers.beta).not.toEqual(beta);
    expect(state?.secrets.providers.beta.appId).toMatch(/^BETA[0-9A-F]{9}$/);
    expect(state?.seeded).toBeUndefined();
  });

  it('throws instead of saving a state that could not be loaded', async () => {
    const state = await newState();
    saveState(dir, state);
    const wrong = { ...state, ports: { api: 70_000 } };
    expect(() => saveState(dir, wrong)).toThrow();
    expect(loadState(dir)).toEqual(state);
  });
});

describe('openState', () => {
  it('keeps a state that was saved, unless it is to start over', async () => {
    const state = await newState();
    saveState(dir, state);
    expect(await openState(dir, false)).toEqual({ state, fresh: false });
    const { state: other, fresh } = await openState(dir, true);
    expect(other.secrets.encryptionKey).not.toBe(state.secrets.encryptionKey);
    expect(fresh).toBe(true);
  });

  it('starts over with all else where a start over was killed before it was saved', async () => {
    saveState(dir, await newState());
    await openState(dir, true);
    expect(await openState(dir, false)).toMatchObject({ fresh: true });
  });
});

describe('newState', () => {
  it('creates new secrets each time, and a key that signs', async () => {
    const [one, two] = await Promise.all([newState(), newState()]);
    const pairs = Object.entries(one.secrets).map(([name, value]) => [name, value] as const);
    const others: Record<string, unknown> = two.secrets;
    for (const [name, value] of pairs) expect(others[name]).not.toEqual(value);

    const key = await importJWK(one.secrets.oidcSigningKey, 'ES256');
    const token = await new SignJWT({}).setProtectedHeader({ alg: 'ES256' }).sign(key);
    expect(token.split('.')).toHaveLength(3);
  });
});

describe('sandboxDir', () => {
  it('is the folder SANDBOX_DIR names, else .sandbox in the project', () => {
    expect(sandboxDir({ SANDBOX_DIR: '/somewhere' })).toBe('/somewhere');
    expect(sandboxDir({})).toBe(join(process.cwd(), '.sandbox'));
  });
});
