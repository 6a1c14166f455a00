import { describe, expect, it } from 'vitest';
import type { WalletProof } from '../../domain/wallet-proof.ts';
import { required } from '../support/factories.ts';
import { aProof } from '../support/points/proofs.ts';
import { Proof, problemsOfProof } from './proven.ts';

const problemsOf = (proof: WalletProof) => problemsOfProof(Proof.parse(proof));
const first = <T>(items: T[]): T => required(items[0]);

describe('a proof', () => {
  it.each([1, 2, 3, 7, 40])('is right by the rules of the document, of %i wallets', (wallets) => {
    expect(problemsOf(aProof({ wallets }))).toEqual([]);
  });

  it('is right before a statement names the wallet', () => {
    expect(problemsOf({ ...aProof(), inclusion: null, statements: [] })).toEqual([]);
  });

  it.each<[string, (proof: WalletProof) => void]>([
    ['points', ({ entries }) => Object.assign(first(entries), { points: 11, balanceAfter: 11 })],
    ['reason', ({ entries }) => Object.assign(first(entries), { reason: 'redemption' })],
    ['missing entry', ({ entries }) => entries.splice(1, 1)],
    ['missing statement', ({ statements }) => statements.splice(1, 1)],
    [
      'signature',
      ({ statements }) => Object.assign(first(statements), { signature: '00'.repeat(64) }),
    ],
    ['key', ({ keys }) => Object.assign(first(keys), { publicKey: '11'.repeat(32) })],
    ['path', ({ inclusion }) => Object.assign(required(inclusion), { index: 1 })],
    ['inclusion', (proof) => Object.assign(proof, { inclusion: null })],
    ['base', (proof) => Object.assign(proof.base, { hash: '22'.repeat(32) })],
  ])('is not right with another %s', (_, change) => {
    const proof = structuredClone(aProof());
    change(proof);
    expect(problemsOf(proof)).not.toEqual([]);
  });
});
