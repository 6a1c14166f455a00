import { describe, expect, it } from 'vitest';
import { namesOf, payloadsOf, readPayload } from '../../../db/changes/payload.ts';
import { newId } from '../../../db/new-id.ts';
import { TenantId, UserId } from '../../../domain/ids.ts';

const users = (count: number) => Array.from({ length: count }, () => UserId.parse(newId()));

describe('payloads of NOTIFY', () => {
  it('hold all ids, each in less than the 8,000 bytes that Postgres takes', () => {
    const userIds = users(1_000);
    const shopIds = [TenantId.parse(newId())];
    const accessOf = [newId(), newId()];
    const payloads = payloadsOf(namesOf({ userIds, shopIds, accessOf }));
    for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
    const read = payloads.map(readPayload);
    expect(read.flatMap((each) => each.userIds)).toEqual(userIds);
    expect(read.flatMap((each) => each.shopIds)).toEqual(shopIds);
    expect(read.flatMap((each) => each.accessOf)).toEqual(accessOf);
  });

  it.each(['', ',', 'u', `x${newId()}`, 'u1234', '{"userIds":[]}', `u${newId()}0`])(
    'leave out what another release has added: %s',
    (other) => {
      const [userId] = users(1);
      const only = { userIds: [userId], shopIds: [], accessOf: [] };
      expect(readPayload(`${other},u${userId}`)).toEqual(only);
    },
  );
});
