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
  const answer = await connection.operatorService.listSearchAttributes({ namespace });
  return answer.customAttributes;
}

const KEYWORD = 2;
const KEYWORD_LIST = 7;
const ours = { [TENANT_IDS.name]: KEYWORD_LIST, [PROVIDER.name]: KEYWORD };

describe('registerSearchAttributes', () => {
  it('makes runs findable by tenant and provider', async () => {
    expect(await attributes()).not.toHaveProperty(TENANT_IDS.name);
    expect(await registerSearchAttributes(connection, namespace)).toBe(true);
    await expect.poll(attributes, { timeout: 10_000 }).toMatchObject(ours);
  });

  it('changes nothing when they are there', async () => {
    await registerSearchAttributes(connection, namespace);
    await expect.poll(attributes, { timeout: 10_000 }).toMatchObject(ours);
    const before = await attributes();
    expect(await registerSearchAttributes(connection, namespace)).toBe(true);
    expect(await attributes()).toEqual(before);
  });

  it('does without when one of the name has another type', async () => {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: { [TENANT_IDS.name]: KEYWORD },
    });
    await expect.poll(attributes, { timeout: 10_000 }).toHaveProperty(TENANT_IDS.name);
    expect(await registerSearchAttributes(connection, namespace)).toBe(false);
  });

  it('adds the one that is missing', async () => {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: { [PROVIDER.name]: KEYWORD },
    });
    expect(await registerSearchAttributes(connection, namespace)).toBe(true);
    await expect.poll(attributes, { timeout: 10_000 }).toMatchObject(ours);
  });

  it('says so to every one of five workers that start at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => registerSearchAttributes(connection, namespace)),
    );
    expect(answers).toEqual(answers.map(() => true));
    await expect.poll(attributes, { timeout: 10_000 }).toMatchObject(ours);
  });
});
