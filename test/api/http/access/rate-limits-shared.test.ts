import { beforeEach, describe, expect, it } from 'vitest';
import type { TenantId } from '../../../../domain/ids.ts';
import { createTestDatabase } from '../../../support/database/test-database.ts';
import { aTenant } from '../../../support/factories.ts';
import {
  call,
  change,
  lookup,
  read,
  serveLimited,
  statuses,
  useTwoInstances,
  write,
} from '../../../support/http/limited.ts';
import { tokenFor } from '../../../support/people/tokens.ts';

const { database, otherDb, issuer, one, two, person } = await useTwoInstances();

describe('looking up codes', () => {
  let tenantId: TenantId;
  const operator = (member: TenantId) => person({ role: 'pos_operator', member });

  beforeEach(async () => {
    tenantId = await aTenant(database.db);
  });

  it('is limited per operator, and is not counted as a write', async () => {
    const token = await operator(tenantId);
    expect(await call(one, lookup, token)).toMatchObject({ policy: '"lookups";q=2;w=60' });
    await call(one, lookup, token);
    expect(await call(one, lookup, token)).toMatchObject({ status: 429 });
    expect(await call(one, change, token)).toMatchObject({
      status: 200,
      limit: expect.stringMatching(/^"writes";r=2;/),
    });
  });

  it('is limited to ten times that per tenant, over all its operators', async () => {
    const operators = [];
    for (let nth = 0; nth < 11; nth++) operators.push(await operator(tenantId));
    for (const token of operators.slice(0, 10)) {
      expect(await statuses(3, () => call(one, lookup, token))).toEqual({ 200: 2, 429: 1 });
    }
    const last = operators[10] ?? '';
    expect(await call(two, lookup, last)).toMatchObject({
      status: 429,
      policy: '"lookups";q=20;w=60',
      limit: expect.stringMatching(/^"lookups";r=0;/),
      body: { message: 'Limit reached: 20 lookups a minute per tenant. Try again shortly.' },
    });
    const elsewhere = await operator(await aTenant(database.db));
    expect(await call(one, lookup, elsewhere)).toMatchObject({ status: 200 });
  });

  it('counts for users of other roles, but not for the tenant', async () => {
    for (let nth = 0; nth < 11; nth++) {
      const merchant = await person({ role: 'client', member: tenantId });
      expect(await statuses(3, () => call(one, lookup, merchant))).toEqual({ 403: 2, 429: 1 });
    }
    expect(await call(one, lookup, await operator(tenantId))).toMatchObject({ status: 200 });
  });
});

describe('while the shared counts are unavailable', () => {
  it('each instance counts for itself, and refuses no request because of it', async () => {
    const broken = await createTestDatabase();
    await broken.owner.raw('drop table rate_limits');
    const [first, second] = [
      await serveLimited(broken.db, issuer),
      await serveLimited(broken.db, issuer),
    ];
    const token = await tokenFor(broken.db, issuer, { role: 'consumer' });

    expect(await statuses(10, () => call(first, read, token))).toEqual({ 200: 4, 429: 6 });
    expect(await statuses(10, () => call(second, read, token))).toEqual({ 200: 4, 429: 6 });
    expect(await call(first, write, token, { points: 1 })).toMatchObject({
      limit: expect.stringMatching(/^"writes";r=2;/),
    });
    for (const { log } of [first, second]) {
      const lines = log.filter((line) => line.includes('rate_limits_not_shared'));
      expect(lines).toHaveLength(1);
    }
    await first.close();
    await second.close();
    await broken.close();
  });

  it('each instance counts for itself when the table is locked', async () => {
    const instance = await serveLimited(otherDb, issuer, { countWithinMs: 200 });
    const token = await person({ role: 'consumer' });
    await database.owner.transaction(async (tx) => {
      await tx.raw('lock table rate_limits in access exclusive mode');
      expect(await statuses(10, () => call(instance, read, token))).toEqual({ 200: 4, 429: 6 });
    });
    await instance.close();
  });
});
