import { beforeEach, describe, expect, it } from 'vitest';
import * as wallets from '../../../db/ledger/wallets.ts';
import * as statistics from '../../../db/tenants/statistics.ts';
import type { TenantId } from '../../../domain/ids.ts';
import { aTenant, aUser, required } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aTill } from '../../support/points/payments.ts';

const database = await useDatabase();
const { db } = database;

let tenantId: TenantId;
beforeEach(async () => {
  tenantId = await aTenant(db);
});

/** Settles from the second row on, two rows at a time, up to the oldest open transaction. */
const EAGER = { few: 1, step: 2, steps: 100, behindMinutes: 0 };

const countOf = async (limits = EAGER) =>
  (await statistics.countOf(db, 'wallets', [tenantId], limits)).get(tenantId);
const settled = () => db('tenant_counts').where({ tenantId }).first('number', 'createdBefore');

/** Creates wallets, each in a transaction of its own. */
async function join(number: number, tenant = tenantId): Promise<void> {
  for (let nth = 0; nth < number; nth++) {
    const owner = { tenantId: tenant, userId: await aUser(db) };
    await db.transaction((tx) => wallets.ensure(tx, [owner]));
  }
}

describe('countOf', () => {
  it('counts each tenant by itself, and settles no small count', async () => {
    const [other, empty] = [await aTenant(db), await aTenant(db)];
    await join(3);
    await join(2, other);
    const counts = await statistics.countOf(db, 'wallets', [tenantId, other, empty]);
    expect([...counts]).toEqual([
      [tenantId, 3],
      [other, 2],
      [empty, 0],
    ]);
    expect(await statistics.countOne(db, 'payments', tenantId)).toBe(0);
    expect(await settled()).toBeUndefined();
  });

  it('counts payments', async () => {
    const pay = await aTill(db, tenantId);
    for (let nth = 0; nth < 3; nth++) await pay({});
    expect(await statistics.countOf(db, 'payments', [tenantId], EAGER)).toEqual(
      new Map([[tenantId, 3]]),
    );
    expect(await statistics.countOne(db, 'payments', tenantId)).toBe(3);
  });

  it('reads what is settled only once, and adds what has come since', async () => {
    await join(5);
    expect(await countOf()).toBe(5);
    expect(await settled()).toMatchObject({ number: 5 });
    // A number that only the settled part can explain.
    await database.owner('tenant_counts').where({ tenantId }).update({ number: 105 });
    await join(1);
    expect(await countOf({ ...EAGER, few: 1_000 })).toBe(106);
    await statistics.forget(db, tenantId);
  });

  it('settles nothing that is too new', async () => {
    await join(3);
    expect(await countOf({ ...EAGER, behindMinutes: 5 })).toBe(3);
    expect(await settled()).toMatchObject({ number: 0 });
  });

  it('continues where an earlier call has stopped', async () => {
    await join(7);
    const limits = { ...EAGER, steps: 1 };
    const numbers: number[] = [];
    for (let call = 0; call < 4; call++) {
      expect(await countOf(limits)).toBe(7);
      numbers.push(required(await settled()).number);
    }
    expect(numbers).toEqual([2, 4, 6, 7]);
  });

  it('settles rows of one moment together, however many', async () => {
    await join(5);
    await db('wallets').where({ tenantId }).update({ createdAt: '2026-01-15T10:00:00.000001Z' });
    await join(2);
    expect(await countOf()).toBe(7);
    expect(await settled()).toMatchObject({ number: 7 });
  });

  it('settles once when it is called several times at once', async () => {
    await join(12);
    const counts = await Promise.all(Array.from({ length: 8 }, () => countOf()));
    expect(counts).toEqual(counts.map(() => 12));
    expect(await countOf()).toBe(12);
    expect(await settled()).toMatchObject({ number: 12 });
  });

  it('counts what a transaction adds that was open while others were settled', async () => {
    const owner = { tenantId, userId: await aUser(db) };
    await join(2);
    const late = await db.transaction();
    try {
      await wallets.ensure(late, [owner]);
      await join(3);
      expect(await countOf()).toBe(5);
      await late.commit();
    } finally {
      if (!late.isCompleted()) await late.rollback();
    }
    expect(await countOf()).toBe(6);
    expect(await countOf()).toBe(6);
  });

  it('counts again when the settled counts are deleted, also meanwhile', async () => {
    await join(10);
    await countOf({ ...EAGER, steps: 2 });
    const counting = Array.from({ length: 6 }, () => countOf());
    await database.owner('tenant_counts').delete();
    expect(await Promise.all(counting)).toEqual(counting.map(() => 10));
    expect(await countOf()).toBe(10);
    expect(await countOf({ ...EAGER, few: 1_000 })).toBe(10);
  });

  it('is never wrong while wallets are created and counts are settled', async () => {
    let isOver = false;
    const creating = Promise.all([join(15), join(15), join(15)]).then(() => {
      isOver = true;
    });
    const seen: number[] = [];
    while (!isOver) seen.push(required(await countOf()));
    await creating;
    expect(seen).toEqual(seen.toSorted((one, other) => one - other));
    expect(await countOf()).toBe(45);
    expect(await settled()).toMatchObject({ number: 45 });
  });
});
