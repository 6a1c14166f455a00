import { createHash } from 'node:crypto';
import { EntryId, TenantId, WalletId } from '../../../domain/ids.ts';
import { type SignedHead, statementText } from '../../../domain/statement.ts';
import {
  describeKeys,
  entryText,
  type ProvenEntry,
  type WalletProof,
} from '../../../domain/wallet-proof.ts';
import { hashOfStatement } from '../../../gateways/crypto/proof-check.ts';
import { createStatementKeys } from '../../../gateways/crypto/statement-keys.ts';
import { inclusionOf, rootOfWallets } from '../../../gateways/crypto/statement-tree.ts';
import { required } from '../factories.ts';
import { testStatementKeys } from './statements.ts';

export type ProofOptions = {
  /** How many wallets the first statement names. */
  wallets?: number;
  entries?: number;
  /** The points of each entry. */
  points?: number;
  tenant?: number;
  /** A secret key other than that of the tests. */
  secret?: number;
};

const idOf = (kind: number, nth: number) =>
  `6f9d4f63-5c0e-4a53-9a1${kind}-${String(nth).padStart(12, '0')}`;

/**
 * A proof of the first of some wallets, made as the service makes it: three entries of ten points,
 * two of which statement 4 names, and the statements up to 6.
 */
export function aProof(options: ProofOptions = {}): WalletProof {
  const { wallets = 3, entries: count = 3, points = 10, tenant = 1, secret } = options;
  const keys =
    secret === undefined
      ? testStatementKeys
      : createStatementKeys([{ id: 'k', key: Buffer.alloc(32, secret) }]);
  const [tenantId, walletId] = [TenantId.parse(idOf(1, tenant)), WalletId.parse(idOf(2, 1))];
  const entries = entriesOf(walletId, count, points);
  const heads = Array.from({ length: wallets }, (_, nth): SignedHead => {
    const head = required(entries[1]).hash;
    return { walletId: WalletId.parse(idOf(2, nth + 1)), seq: 2, head };
  });
  const texts: string[] = [];
  for (const number of [4, 5, 6]) {
    const before = texts.at(-1);
    const previous = before === undefined ? 'ab'.repeat(32) : hashOfStatement(before);
    const facts = { root: rootOfWallets(heads), size: heads.length, keyId: keys.current.keyId };
    const at = '2026-01-16T00:41:00.123Z';
    texts.push(statementText({ tenantId, number, day: '2026-01-15', at, previous, ...facts }));
  }
  return {
    format: 'loyalty-wallet-proof/v1',
    walletId,
    tenantId,
    createdAt: '2026-01-17T09:12:44.000Z',
    base: { seq: 0, balance: 0, hash: '0'.repeat(64) },
    entries,
    inclusion: required(inclusionOf(heads, walletId)),
    statements: texts.map((text) => ({ text, signature: keys.sign(text) })),
    keys: describeKeys(keys.known),
  };
}

function entriesOf(walletId: WalletId, count: number, points: number): ProvenEntry[] {
  const entries: ProvenEntry[] = [];
  let previous = Buffer.alloc(32);
  for (let seq = 1; seq <= count; seq++) {
    const entry: ProvenEntry = {
      id: EntryId.parse(idOf(3, seq)),
      seq,
      entryType: 'credit',
      points,
      balanceAfter: seq * points,
      reason: 'purchase',
      sourceType: 'payment',
      sourceId: idOf(4, seq),
      createdAtMicroseconds: String(1_768_471_202_000_000 + seq),
      hash: '',
    };
    const text = entryText(walletId, entry);
    previous = createHash('sha256').update(previous).update(text).digest();
    entries.push({ ...entry, hash: previous.toString('hex') });
  }
  return entries;
}
