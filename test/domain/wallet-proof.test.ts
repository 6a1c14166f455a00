import { expect, it } from 'vitest';
import { EntryId, WalletId } from '../../domain/ids.ts';
import { describeKeys, entryText, type ProvenEntry } from '../../domain/wallet-proof.ts';

it('the hash of an entry covers all of it, as docs/wallet-proofs.md says', () => {
  const entry: ProvenEntry = {
    id: EntryId.parse('11111111-1111-4111-8111-111111111111'),
    seq: 7,
    entryType: 'debit',
    points: 50,
    balanceAfter: 75,
    reason: 'redemption',
    sourceType: 'redemption_code',
    sourceId: '33333333-3333-4333-8333-333333333333',
    createdAtMicroseconds: '1768471200123456',
    hash: 'ab'.repeat(32),
  };
  expect(entryText(WalletId.parse('22222222-2222-4222-8222-222222222222'), entry)).toBe(
    '11111111-1111-4111-8111-111111111111|22222222-2222-4222-8222-222222222222|7|debit|50|75|' +
      'redemption|redemption_code|33333333-3333-4333-8333-333333333333|1768471200123456',
  );
});

it('keys are described without what else is known of them', () => {
  const keyId = '21fe31dfa154a261';
  const publicKey = 'cd'.repeat(32);
  expect(describeKeys([])).toEqual([]);
  expect(describeKeys([Object.assign({ keyId, publicKey }, { createdAt: 0 })])).toEqual([
    { keyId, algorithm: 'Ed25519', publicKey },
  ]);
});
