import { createHash, createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';

const Entry = z.object({
  id: z.string(),
  seq: z.int(),
  entryType: z.enum(['credit', 'debit']),
  points: z.int().positive(),
  balanceAfter: z.int(),
  reason: z.string(),
  sourceType: z.string(),
  sourceId: z.string(),
  createdAtMicroseconds: z.string(),
  hash: z.string(),
});

/** What a consumer can download of a wallet. */
export const Proof = z.object({
  format: z.literal('loyalty-wallet-proof/v1'),
  walletId: z.string(),
  tenantId: z.string(),
  base: z.object({ seq: z.int(), balance: z.int(), hash: z.string() }),
  entries: z.array(Entry),
  inclusion: z.object({ seq: z.int(), index: z.int(), path: z.array(z.string()) }).nullable(),
  statements: z.array(z.object({ text: z.string(), signature: z.string() })),
  keys: z.array(z.object({ keyId: z.string(), publicKey: z.string() })),
});
export type Proof = z.infer<typeof Proof>;

const NOTHING = '0'.repeat(64);
const FIRST_LINE = 'loyalty ledger statement v1';

/** What is wrong with a proof, by docs/wallet-proofs.md and without any code of the service. */
export function problemsOfProof(proof: Proof): string[] {
  return [...entryProblems(proof), ...statementProblems(proof), ...inclusionProblems(proof)];
}

function entryProblems({ walletId, base, entries }: Proof): string[] {
  let before = { seq: 0, balance: 0, hash: NOTHING };
  const problems =
    base.seq === 0 && base.hash === NOTHING ? [] : ['It does not begin with nothing'];
  for (const { hash, seq, ...entry } of entries) {
    const { entryType, points, balanceAfter: balance, reason, sourceType, sourceId } = entry;
    const moved = entryType === 'credit' ? points : -points;
    const text = [
      entry.id,
      walletId,
      seq,
      entryType,
      points,
      balance,
      reason,
      sourceType,
      sourceId,
      entry.createdAtMicroseconds,
    ].join('|');
    const isRight =
      seq === before.seq + 1 &&
      balance === before.balance + moved &&
      hash === sha256(bytesOf(before.hash), text).toString('hex');
    if (!isRight) problems.push(`Entry ${seq} does not follow from the one before it`);
    before = { seq, balance, hash };
  }
  return problems;
}

function statementProblems({ tenantId, statements, keys }: Proof): string[] {
  let before: { number: number; hash: string } | undefined;
  return statements.flatMap(({ text, signature }) => {
    const { number = '', tenant, previous, key: keyId } = fieldsOf(text);
    const isNext = before === undefined || Number(number) === before.number + 1;
    const named = before?.hash ?? (number === '1' ? NOTHING : previous);
    const key = keys.find(({ publicKey }) => keyIdOf(publicKey) === keyId);
    const isRight =
      tenant === tenantId &&
      isNext &&
      previous === named &&
      key !== undefined &&
      isSigned(text, signature, key.publicKey);
    before = { number: Number(number), hash: sha256(text).toString('hex') };
    return isRight ? [] : [`Statement ${number} is not right`];
  });
}

function inclusionProblems({ walletId, entries, inclusion, statements }: Proof): string[] {
  const [first] = statements;
  if (inclusion === null) return first === undefined ? [] : ['Statements name nothing'];
  const { seq, index, path } = inclusion;
  const head = entries.find((entry) => entry.seq === seq)?.hash;
  const { root, size } = fieldsOf(first?.text ?? '');
  let hash = sha256(Buffer.of(0), `${walletId}|${seq}|${head}`);
  let [node, last] = [index, Number(size) - 1];
  for (const each of path) {
    const other = bytesOf(each);
    const isRight = node % 2 === 1 || node === last;
    hash = isRight ? sha256(Buffer.of(1), other, hash) : sha256(Buffer.of(1), hash, other);
    // A node that has nobody beside it is that of the level above.
    while (isRight && node % 2 === 0 && node > 0) [node, last] = [node / 2, last >> 1];
    [node, last] = [node >> 1, last >> 1];
  }
  return last === 0 && hash.toString('hex') === root ? [] : [`The root does not name entry ${seq}`];
}

function fieldsOf(text: string): Partial<Record<string, string>> {
  const [first, ...lines] = text.split('\n');
  if (first !== FIRST_LINE || lines.pop() !== '') return {};
  return Object.fromEntries(lines.map((line) => line.split(' ', 2)));
}

function keyIdOf(publicKey: string): string {
  return sha256(bytesOf(publicKey)).toString('hex').slice(0, 16);
}

function isSigned(text: string, signature: string, publicKey: string): boolean {
  const x = bytesOf(publicKey).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(text), key, bytesOf(signature));
}

function sha256(...parts: (string | Buffer)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function bytesOf(hexadecimal: string): Buffer {
  return Buffer.from(hexadecimal, 'hex');
}
