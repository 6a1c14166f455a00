import { randomUUID } from 'node:crypto';
import { NativeConnection } from '@temporalio/worker';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { prepareNamespace } from '../../sandbox/temporal/namespace.ts';
import { registerSearchAttributes } from '../../worker/search-attributes.ts';
import { PROVIDER, TENANT_IDS } from '../../workflows/search-attributes.ts';

let connection: NativeConnection;
let namespace: string;
beforeAll(async () => {
  connection = await NativeConnection.connect({ address: inject('temporalAddress') });
});
afterAll(() => connection.close());

beforeEach(async () => {
  namespace = `search-${randomUUID()}`;
  await prepareNamespace(inject('temporalAddress'), namespace);
});

async function attributes(): Promise<Record<string, unknown>> {
  const response = await connection.operatorService.listSearchAttributes({ namespace });
  return response.customAttributes;
}

const KEYWORD = 2;
const KEYWORD_LIST = 7;
const ours = { [TENANT_IDS.name]: KEYWORD_LIST, [PROVIDER.name]: KEYWORD };

describe('registerSearchAttributes', () => {
  it('registers the attributes of tenants and providers', async () => {
    expect(await attributes()).not.toHaveProperty(TENANT_IDS.name);
    expect(await registerSearchAttributes(connection, namespace)).toBe(true);
    await expect.poll(attributes, { timeout: 10_000 }).toMatchObject(ours);
  });

  it('changes nothing when they are registered', async () => {
    await registerSearchAttributes(connection, namespace);
    await expect.poll(attributes, { timeout: 10_000 }).toMatchObject(ours);
    const before = await attributes();
    expect(await registerSearchAttributes(connection, namespace)).toBe(true);
    expect(await attributes()).toEqual(before);
  });

  it('returns false when an attribute of the same name has another type', async () => {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: { [TENANT_IDS.name]: KEYWORD },
    });
    await expect.poll(attributes, { timeout: 10_000 }).toHaveProperty(TENANT_IDS.name);
    expect(await registerSearchAttributes(connection, namespace)).toBe(false);
  });

  it('registers the missing one', async () => {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: { [PROVIDER.name]: KEYWORD },
    });
    expect(await registerSearchAttributes(connection, namespace)).toBe(true);
    await expect.poll(attributes, { timeout: 10_000 }).toMatchObject(ours);
  });

  it('returns true to each of five workers that start concurrently', async () => {
    const results = await Promise.all(
      Array.from({ length: 5 }, () => registerSearchAttributes(connection, namespace)),
    );
    expect(results).toEqual(results.map(() => true));
    await expect.poll(attributes, { timeout: 10_000 }).toMatchObject(ours);
  });
});
