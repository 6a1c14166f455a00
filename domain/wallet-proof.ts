import { z } from 'zod';
import { EntryId, TenantId, WalletId } from './ids.ts';
import { Sha256, Signature } from './statement.ts';

/** An entry of the ledger with all that its hash covers. */
const ProvenEntry = z.object({
  id: EntryId,
  seq: z.int().positive(),
  entryType: z.enum(['credit', 'debit']),
  points: z.int().positive(),
  balanceAfter: z.int(),
  reason: z.string().regex(/^[a-z_]+$/),
  sourceType: z.string().regex(/^[a-z_]+$/),
  sourceId: z.uuid(),
  createdAtMicroseconds: z
    .string()
    .regex(/^\d{1,20}$/)
    .describe('Microseconds since 1970, as text.'),
  hash: Sha256,
});
export type ProvenEntry = z.infer<typeof ProvenEntry>;

/** The entry before the first one of a proof; of number 0 where that is the first of all. */
const Base = z.object({ seq: z.int().min(0), balance: z.int().min(0), hash: Sha256 });

const Inclusion = z.object({
  seq: z.int().positive().describe('The entry of the wallet that the statement names.'),
  index: z.int().min(0).describe('Where in the tree of the first statement the wallet is.'),
  path: z.array(Sha256).max(64).describe('The hashes beside it, from the leaf to the root.'),
});

const SignedStatement = z.object({
  text: z.string().max(1_000).describe('What was signed.'),
  signature: Signature.describe('Its signature, in hexadecimal.'),
});

/** A key that verifies statements. */
export const StatementPublicKey = z.object({
  keyId: z.string().regex(/^[0-9a-f]{16}$/),
  algorithm: z.literal('Ed25519'),
  publicKey: Sha256.describe('The 32 bytes of the key, in hexadecimal.'),
});

/** A wallet's history with what proves it, as docs/wallet-proofs.md describes it. */
export const WalletProof = z.object({
  format: z.literal('loyalty-wallet-proof/v1').describe('The version of this form.'),
  walletId: WalletId,
  tenantId: TenantId,
  createdAt: z.iso.datetime(),
  base: Base.describe('The entry before the first one, all zero for a whole history.'),
  entries: z.array(ProvenEntry).describe('The entries after that one, oldest first.'),
  inclusion: Inclusion.nullable().describe('Null while no statement names the wallet.'),
  statements: z
    .array(SignedStatement)
    .describe('From the last one that names the wallet to the newest of its tenant.'),
  keys: z.array(StatementPublicKey).describe('The keys that sign statements.'),
});
export type WalletProof = z.infer<typeof WalletProof>;

/** What the hash of an entry covers, after the hash of the entry before it. */
export function entryText(walletId: WalletId, entry: ProvenEntry): string {
  return [
    entry.id,
    walletId,
    entry.seq,
    entry.entryType,
    entry.points,
    entry.balanceAfter,
    entry.reason,
    entry.sourceType,
    entry.sourceId,
    entry.createdAtMicroseconds,
  ].join('|');
}

/** How a proof describes keys. */
export function describeKeys(keys: readonly { keyId: string; publicKey: string }[]) {
  return keys.map(({ keyId, publicKey }) => {
    return { keyId, algorithm: 'Ed25519' as const, publicKey };
  });
}
