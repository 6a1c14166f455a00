import { z } from 'zod';
import { StatementName, TenantId, WalletId } from './ids.ts';

// A statement says, signed, at which entry each of some wallets of a tenant was. For those who
// verify one without this code, docs/wallet-proofs.md describes it.

/** A SHA-256 in hexadecimal. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** An Ed25519 signature in hexadecimal. */
export const Signature = z.string().regex(/^[0-9a-f]{128}$/);
/** The hash before the first of a chain. */
export const NO_HASH = '0'.repeat(64);

export type Statement = {
  tenantId: TenantId;
  /** 1 for a tenant's first statement, without a gap. */
  number: number;
  /** The UTC day that had ended when it was made, as `2026-01-15`. */
  day: string;
  /** When the wallets were read, in ISO 8601. */
  at: string;
  /** The hash of the text of the statement before it. */
  previous: string;
  /** The root of the tree over its wallets. */
  root: string;
  /** How many wallets it names. */
  size: number;
  /** The id of the key that signed it. */
  keyId: string;
};

/** The text of a statement, which is what is signed. */
export function statementText(statement: Statement): string {
  const { tenantId, number, day, at, previous, root, size, keyId } = statement;
  return `${[
    'loyalty ledger statement v1',
    `tenant ${tenantId}`,
    `number ${number}`,
    `day ${day}`,
    `at ${at}`,
    `previous ${previous}`,
    `root ${root}`,
    `size ${size}`,
    `key ${keyId}`,
  ].join('\n')}\n`;
}

const LINES = new RegExp(
  [
    '^loyalty ledger statement v1',
    'tenant (?<tenantId>[0-9a-f-]{36})',
    'number (?<number>[1-9]\\d{0,14})',
    'day (?<day>\\d{4}-\\d\\d-\\d\\d)',
    'at (?<at>\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z)',
    'previous (?<previous>[0-9a-f]{64})',
    'root (?<root>[0-9a-f]{64})',
    'size (?<size>[1-9]\\d{0,14})',
    'key (?<keyId>[0-9a-f]{16})\n$',
  ].join('\n'),
);

/** What the lines say, whose forms are checked by then, but for the id of the tenant. */
const Fields = z.object({
  tenantId: TenantId,
  number: z.coerce.number(),
  day: z.string(),
  at: z.string(),
  previous: z.string(),
  root: z.string(),
  size: z.coerce.number(),
  keyId: z.string(),
});

/** Reads the text of a statement; undefined if the text is not a statement. */
export function parseStatement(text: string): Statement | undefined {
  return Fields.safeParse(LINES.exec(text)?.groups).data;
}

/** A wallet as a statement names it: its last entry and the hash there. */
export const SignedHead = z.object({
  walletId: WalletId,
  seq: z.int().positive(),
  head: Sha256,
});
export type SignedHead = z.infer<typeof SignedHead>;

/** The data of a leaf of the tree. Leaves are in the order of the ids of their wallets. */
export function leafText({ walletId, seq, head }: SignedHead): string {
  return `${walletId}|${seq}|${head}`;
}

/** A statement as the object store has it. */
export const StoredStatement = z.object({
  format: z.literal('loyalty-statement/v1'),
  text: z.string(),
  signature: Signature,
  wallets: z.array(SignedHead),
});
export type StoredStatement = z.infer<typeof StoredStatement>;

const NUMBER_DIGITS = 10;

/** The name of a statement's object. Its prefix is one that is never served. */
export function statementName({
  tenantId,
  number,
}: Pick<Statement, 'tenantId' | 'number'>): StatementName {
  const padded = String(number).padStart(NUMBER_DIGITS, '0');
  return StatementName.parse(`statements/${tenantId}/${padded}.json`);
}
