import { describe, expect, it } from 'vitest';
import { WalletProof } from '../../../domain/wallet-proof.ts';
import { checkProof, contradictionsOf } from '../../../gateways/crypto/proof-check.ts';
import { required } from '../../support/factories.ts';
import { aProof, type ProofOptions } from '../../support/points/proofs.ts';
import { testStatementKeys } from '../../support/points/statements.ts';

const problemsOf = (proof: WalletProof, keys: string[] = []) => checkProof(proof, keys).problems;
const { publicKey } = testStatementKeys.current;

/** A proof that is changed by a function on a copy of it. */
function changed(change: (proof: WalletProof) => void, options: ProofOptions = {}): WalletProof {
  const proof = structuredClone(aProof(options));
  change(proof);
  return WalletProof.parse(proof);
}

describe('checkProof', () => {
  it.each([1, 2, 7, 40])('accepts a proof whose statement names %i wallets', (wallets) => {
    const checked = checkProof(aProof({ wallets }), [publicKey]);
    expect(checked).toMatchObject({ problems: [], signedUntil: 2, lastEntry: 3 });
    expect(checked.statements).toHaveLength(3);
  });

  it('accepts the newest entries of a longer history', () => {
    const proof = changed((each) => {
      const first = required(each.entries.shift());
      each.base = { seq: 1, balance: first.balanceAfter, hash: first.hash };
    });
    expect(problemsOf(proof)).toEqual([]);
  });

  const first = <T>(items: T[]): T => required(items[0]);
  it.each<{ because: string; says: RegExp; change: (proof: WalletProof) => void }>([
    {
      because: 'points of an entry',
      says: /^Entry 1: its balance is 10, and the entries add to 11/,
      change: ({ entries }) => {
        first(entries).points += 1;
      },
    },
    {
      because: 'reason of an entry',
      says: /^Entry 1: its hash does not follow/,
      change: ({ entries }) => {
        first(entries).reason = 'redemption';
      },
    },
    {
      because: 'time of an entry',
      says: /^Entry 2: its hash does not follow/,
      change: ({ entries }) => {
        required(entries[1]).createdAtMicroseconds = '1';
      },
    },
    {
      because: 'missing entry',
      says: /^Entry 3: follows entry 1, so entries are missing/,
      change: ({ entries }) => void entries.splice(1, 1),
    },
    {
      because: 'base that gives points away',
      says: /its base is of entry 0 and not empty/,
      change: ({ base }) => {
        base.balance = 5;
      },
    },
    {
      because: 'path',
      says: /^Statement 4 .*: does not name entry 2 with its hash/,
      change: ({ inclusion }) => {
        required(inclusion).path[0] = '0'.repeat(64);
      },
    },
    {
      because: 'index',
      says: /does not name entry 2 with its hash/,
      change: ({ inclusion }) => {
        required(inclusion).index += 1;
      },
    },
    {
      because: 'signed entry that is not there',
      says: /^Statement 4 .*: names entry 9, which is not in the file/,
      change: ({ inclusion }) => {
        required(inclusion).seq = 9;
      },
    },
    {
      because: 'signature',
      says: /^Statement 4 .*: its signature is not of key/,
      change: ({ statements }) => {
        first(statements).signature = 'ab'.repeat(64);
      },
    },
    {
      because: 'day of a statement',
      says: /^Statement 5 .*: does not name the statement before it/,
      change: ({ statements: [one] }) => {
        required(one).text = required(one).text.replace('day 2026-01-15', 'day 2026-01-14');
      },
    },
    {
      because: 'missing statement',
      says: /^Statement 6 .*: follows statement 4, so statements are missing/,
      change: ({ statements }) => void statements.splice(1, 1),
    },
    {
      because: 'text of a statement',
      says: /^A statement cannot be read/,
      change: ({ statements }) => {
        first(statements).text += ' ';
      },
    },
    {
      because: 'tenant',
      says: /^Statement 4 .*: is of another tenant/,
      change: (proof) => {
        proof.tenantId = aProof({ tenant: 2 }).tenantId;
      },
    },
    {
      because: 'missing key',
      says: /^Statement 4 .*: key \w+ is not in the file/,
      change: (proof) => {
        proof.keys = [];
      },
    },
    {
      because: 'missing inclusion',
      says: /^No statement names this wallet, although some are here/,
      change: (proof) => {
        proof.inclusion = null;
      },
    },
    {
      because: 'lack of statements',
      says: /^There is no statement: nothing of the wallet is signed/,
      change: (proof) => {
        proof.statements = [];
      },
    },
  ])('refuses another $because', ({ change, says }) => {
    const proof = changed(change, { wallets: 7 });
    expect(problemsOf(proof).some((problem) => says.test(problem))).toBe(true);
    expect(required(problemsOf(proof)[0]).length).toBeGreaterThan(0);
  });

  it('takes a proof from before the first statement for unsigned, not for wrong', () => {
    const unsigned = changed((proof) => {
      Object.assign(proof, { inclusion: null, statements: [] });
    });
    expect(checkProof(unsigned)).toMatchObject({ problems: [], isSigned: false, signedUntil: 0 });
    required(unsigned.entries[2]).points += 1;
    expect(problemsOf(unsigned)).toEqual([expect.stringMatching(/^Entry 3: its balance is/)]);
  });

  it('refuses a file that brings a key of its own, when the keys are known', () => {
    const forged = aProof({ secret: 9 });
    expect(problemsOf(forged)).toEqual([]);
    expect(problemsOf(forged, [publicKey])).toEqual(
      [4, 5, 6].map(() => expect.stringContaining('is not one of the trusted keys')),
    );
  });

  it('does not believe what a file says about the id of a key', () => {
    const proof = changed(({ keys }) => {
      required(keys[0]).publicKey = required(aProof({ secret: 9 }).keys[0]).publicKey;
    });
    expect(problemsOf(proof)[0]).toMatch(/is not in the file/);
  });

  it('refuses a proof in which any character of a hash or id changes', () => {
    const text = JSON.stringify(aProof({ wallets: 3 }));
    const places = [...text.matchAll(/[0-9a-f]{64}/g)].map(({ index }) => index);
    for (const place of places) {
      const other = text[place] === 'a' ? 'b' : 'a';
      const damaged = WalletProof.parse(
        JSON.parse(`${text.slice(0, place)}${other}${text.slice(place + 1)}`),
      );
      expect(problemsOf(damaged, [publicKey]).length === 0, text.slice(place - 30, place)).toBe(
        // The keys that come with the file are not used.
        text.slice(place - 13, place) === '"publicKey":"',
      );
    }
  });
});

describe('contradictionsOf', () => {
  it('finds nothing between a proof and a later one', () => {
    expect(contradictionsOf(aProof({ entries: 3 }), aProof({ entries: 6 }))).toEqual([]);
  });

  it('finds entries that are gone, that were others, and other statements', () => {
    const earlier = aProof({ entries: 6 });
    expect(contradictionsOf(earlier, aProof({ entries: 5 }))).toEqual([
      'Entry 6 of the earlier proof is gone.',
    ]);
    expect(contradictionsOf(earlier, aProof({ entries: 6, points: 11 }))).toEqual([
      'Entry 1 was another one.',
      'Statement 4 was another one.',
      'Statement 5 was another one.',
      'Statement 6 was another one.',
    ]);
  });

  it('compares the entry at which a file begins', () => {
    const all = aProof({ entries: 6 });
    const base = { ...required(all.entries[2]), balance: 30 };
    const newest = { ...all, base, entries: all.entries.slice(3) };
    expect(contradictionsOf(all, newest)).toEqual([]);
    const changed = { ...newest, base: { ...base, hash: 'f'.repeat(64) } };
    expect(contradictionsOf(all, changed)).toEqual(['Entry 3 was another one.']);
    expect(contradictionsOf(changed, all)).toEqual(['Entry 3 was another one.']);
  });

  it('finds that a later proof is signed less far, and nothing when it is signed further', () => {
    const proof = aProof();
    const unsigned: WalletProof = { ...proof, inclusion: null, statements: [] };
    expect(contradictionsOf(proof, unsigned)).toEqual([
      'The earlier proof is signed up to entry 2, and this one not at all.',
    ]);
    expect(contradictionsOf(unsigned, proof)).toEqual([]);
    const less = { ...proof, inclusion: { ...required(proof.inclusion), seq: 1 } };
    expect(contradictionsOf(proof, less)).toEqual([
      'The earlier proof is signed up to entry 2, and this one up to entry 1 only.',
    ]);
  });

  it('refuses to compare different wallets', () => {
    expect(contradictionsOf(aProof(), aProof({ tenant: 2 }))).toEqual([
      'The files are about different wallets.',
    ]);
  });
});
