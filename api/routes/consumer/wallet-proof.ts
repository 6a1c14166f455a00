import type { z } from 'zod';
import type { Db } from '../../../db/connection.ts';
import * as wallets from '../../../db/ledger/wallets.ts';
import * as proofs from '../../../db/statements/proofs.ts';
import { findUnstored } from '../../../db/statements/storing.ts';
import { Refusal } from '../../../domain/errors.ts';
import type { TenantId } from '../../../domain/ids.ts';
import { describeKeys, WalletProof } from '../../../domain/wallet-proof.ts';
import { inclusionOf } from '../../../gateways/crypto/statement-tree.ts';
import { parseStored, readStatement } from '../../../gateways/objects/stored-statements.ts';
import type { Deps } from '../../http/deps.ts';
import { route } from '../../http/route.ts';

/** The newest entries of a longer history are proven from the one before them on. */
const MAX_ENTRIES = 10_000;
/** Ten a day for five years, in some 12 megabytes. */
const MAX_STATEMENTS = 20_000;
/** How many of them a query reads, so that none takes long. */
const STATEMENTS_AT_ONCE = 5_000;
/** Each may hold some megabytes. */
const PROOFS_AT_ONCE = 2;

const NOTHING = { seq: 0, balance: 0, hash: '0'.repeat(64) };

export const proofExample: WalletProof = WalletProof.parse({
  format: 'loyalty-wallet-proof/v1',
  walletId: '6f9d4f63-5c0e-4a53-9a11-1d7f0a5b7c21',
  tenantId: '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42',
  createdAt: '2026-01-17T09:12:44.000Z',
  base: NOTHING,
  entries: [
    {
      id: '3d1f6a8e-7c44-4e0a-9b9e-5a2c8d7e6f10',
      seq: 1,
      entryType: 'credit',
      points: 1250,
      balanceAfter: 1250,
      reason: 'purchase',
      sourceType: 'payment',
      sourceId: 'c8e5b1a2-90d4-4f7b-8a63-2e1f0d9c8b7a',
      createdAtMicroseconds: '1768471202000123',
      hash: 'b1'.repeat(32),
    },
  ],
  inclusion: { seq: 1, index: 0, path: ['96'.repeat(32)] },
  statements: [{ text: 'loyalty ledger statement v1\n…', signature: 'e5'.repeat(64) }],
  keys: [{ keyId: '21fe31dfa154a261', algorithm: 'Ed25519', publicKey: 'd7'.repeat(32) }],
});

export const proveOwnWallet = route({
  method: 'GET',
  path: '/consumer/wallets/:walletId/proof',
  access: 'WALLET_HISTORY_OWN',
  atOnce: PROOFS_AT_ONCE,
  tag: 'Consumer',
  summary: 'Get a proof of the history of one of your wallets',
  description:
    'The entries of the wallet, the last of them that a signed statement names, and the ' +
    'statements since then. Keep it: `npm run ops -- check-proof` verifies it without this ' +
    'service, and compares it with a later one. Entries after the statement are not signed yet. ' +
    'Refused if more than 20,000 statements have followed it.',
  refusals: ['NOT_FOUND', 'RULE_REJECTED'],
  response: WalletProof,
  examples: { response: proofExample },

  async handle({ params, user, ...deps }) {
    return prove(await wallets.getOwned(deps.db, params.walletId, user.id), deps);
  },
});

/** What a proof is made of, besides the wallet. */
export type ProofDeps = Pick<Deps, 'db' | 'objects' | 'now' | 'statementKeys'>;

/** Makes the proof of a wallet. Throws RULE_REJECTED where it would have too many statements. */
export async function prove(
  wallet: wallets.WalletView,
  { now, statementKeys, ...deps }: ProofDeps,
): Promise<z.input<typeof WalletProof>> {
  // Before the entries, which only grow, so that they hold what the statement names.
  const signed = await readSigned(deps, wallet);
  // One more than the proof has: it begins after that one.
  const entries = await proofs.listEntries(deps.db, wallet.id, MAX_ENTRIES + 1);
  const before = entries.length > MAX_ENTRIES ? entries.shift() : undefined;
  const base = before && { ...before, balance: before.balanceAfter };
  return {
    format: 'loyalty-wallet-proof/v1' as const,
    walletId: wallet.id,
    tenantId: wallet.tenantId,
    createdAt: now().toISOString(),
    base: base ?? NOTHING,
    entries,
    ...signed,
    keys: describeKeys(statementKeys.known),
  };
}

type Signed = Pick<WalletProof, 'inclusion' | 'statements'>;

async function readSigned(
  { db, objects }: Pick<Deps, 'db' | 'objects'>,
  wallet: wallets.WalletView,
): Promise<Signed> {
  const signed = await proofs.findSigned(db, wallet.id);
  if (signed === undefined) return { inclusion: null, statements: [] };
  const of = { tenantId: wallet.tenantId, number: signed.number };
  const unstored = await findUnstored(db, of);
  // Deleted there only once the object store has it.
  const stored = unstored === undefined ? await readStatement(objects, of) : parseStored(unstored);
  const inclusion = stored && inclusionOf(stored.wallets, wallet.id);
  if (inclusion === undefined) {
    throw new Error(`Statement ${of.number} of tenant ${of.tenantId} does not name the wallet.`);
  }
  return { inclusion, statements: await statementsFrom(db, of) };
}

/** All statements of the tenant from this one on. Throws RULE_REJECTED if they are too many. */
async function statementsFrom(
  db: Db,
  { tenantId, number }: { tenantId: TenantId; number: number },
): Promise<proofs.SignedText[]> {
  const statements: proofs.SignedText[] = [];
  for (;;) {
    // Numbers have no gap.
    const next = { number: number + statements.length, limit: STATEMENTS_AT_ONCE };
    const page = await proofs.listFrom(db, tenantId, next);
    statements.push(...page);
    if (statements.length > MAX_STATEMENTS) throw tooManyStatements();
    if (page.length < STATEMENTS_AT_ONCE) return statements;
  }
}

/** A file that leaves statements out would look like a whole one. */
function tooManyStatements(): Refusal {
  return new Refusal(
    'RULE_REJECTED',
    'More statements have followed the last one about this wallet than one proof holds. The next ' +
      'statement after the wallet has moved makes a proof possible again.',
  );
}
