import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newId } from '../../../db/new-id.ts';
import { follow } from '../../../db/redemptions/following.ts';
import * as lifecycle from '../../../db/redemptions/lifecycle.ts';
import * as mails from '../../../db/redemptions/mails.ts';
import { RedemptionId } from '../../../domain/ids.ts';
import { required } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { aRedemption, expiresIn, redemptionRow } from '../../support/points/redemptions.ts';

const database = await useDatabase();
const { db } = database;

async function aBatch(size: number) {
  const issued = await Promise.all(Array.from({ length: size }, () => aRedemption(db)));
  const ids = issued.map(({ id }) => id).sort();
  const batch = { runId: randomUUID(), ids };
  await follow(db, batch);
  return { ids, page: { ...batch, after: null, limit: 10 } };
}
const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

describe('listCodeMails', () => {
  it('lists usable codes of the run that are not mailed, page by page', async () => {
    const { ids, page } = await aBatch(5);
    const left = ids.slice(2);
    await mails.markCodesMailed(db, ids.slice(0, 1));
    await expiresIn(db, ids.slice(1, 2), -1);
    const first = await mails.listCodeMails(db, { ...page, limit: 2 });
    expect(first.map(idsOf)).toEqual(left.slice(0, 2).map((id) => [id]));
    const next = await mails.listCodeMails(db, { ...page, after: left[1] ?? null });
    expect(next.map(idsOf)).toEqual(left.slice(2).map((id) => [id]));
    expect(await mails.listCodeMails(db, { ...page, runId: randomUUID() })).toEqual([]);
    expect(await mails.listExpiryMails(db, page)).toEqual([]);
  });

  it('lists codes of a wallet with the one issued first, whatever clock made the ids', async () => {
    const [low, high] = [newId(), newId()].sort().map((id) => RedemptionId.parse(id));
    const first = await aRedemption(db, { id: required(high) });
    const next = await aRedemption(db, { id: required(low), walletId: first.walletId });
    const listed = async ({ id }: { id: RedemptionId }) => {
      const batch = { runId: randomUUID(), ids: [id] };
      await follow(db, batch);
      const groups = await mails.listCodeMails(db, { ...batch, after: null, limit: 10 });
      return groups.map(idsOf);
    };
    // The first may be on its way already, so it is not for the run of the next one to mail both.
    expect(await listed(next)).toEqual([]);
    expect(await listed(first)).toEqual([[high, low]]);
  });
});

describe('listExpiryMails', () => {
  it('lists expired codes of the run whose owners are not informed', async () => {
    const { ids, page } = await aBatch(3);
    await expiresIn(db, ids, -1);
    expect(await mails.listExpiryMails(db, page)).toEqual([]);
    expect(await lifecycle.expireGiven(db, 'refund', ids)).toHaveLength(3);
    await mails.markExpiriesMailed(db, ids.slice(0, 1));
    expect(idsOf(await mails.listExpiryMails(db, page))).toEqual(ids.slice(1));
  });
});

describe('markCodesMailed', () => {
  it('keeps the first time, also when several mark the same ids at once', async () => {
    const { ids } = await aBatch(10);
    await Promise.all([
      mails.markCodesMailed(db, ids),
      mails.markCodesMailed(db, [...ids].reverse()),
    ]);
    const rows = () => Promise.all(ids.map((id) => redemptionRow(db, id)));
    const before = (await rows()).map((row) => row.codeMailedAt);
    expect(before).not.toContain(null);
    await mails.markCodesMailed(db, ids);
    expect((await rows()).map((row) => row.codeMailedAt)).toEqual(before);
  });
});
