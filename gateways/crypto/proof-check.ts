import { createHash } from 'node:crypto';
import { leafText, NO_HASH, parseStatement, type Statement } from '../../domain/statement.ts';
import { entryText, type WalletProof } from '../../domain/wallet-proof.ts';
import { leafHash, rootFromPath } from './merkle-tree.ts';
import { isSignedBy, statementKey } from './statement-keys.ts';

/** What a proof shows, and what is wrong with it. */
export type CheckedProof = {
  /** In words; none if the proof is right, or right as far as it goes without a signature. */
  problems: string[];
  /** Whether a statement names the wallet. Without one, entries only follow from each other. */
  isSigned: boolean;
  /** Up to which entry statements name the history; 0 when nothing is signed. */
  signedUntil: number;
  lastEntry: number;
  /** The statements it holds, read; empty when one of them cannot be read. */
  statements: Statement[];
  /** Whether every statement is signed by a key that the caller trusts. */
  isByTrustedKeys: boolean;
};

/**
 * Checks a proof by itself: the entries follow from each other, the last statement that names the
 * wallet names one of them, and statements follow from each other and are signed. With trusted
 * keys, only these may have signed; without, the keys that come with the proof. A proof from before
 * the first statement about its wallet is no problem, and not signed.
 */
export function checkProof(proof: WalletProof, trustedKeys: readonly string[] = []): CheckedProof {
  const statements = proof.statements.flatMap(({ text }) => parseStatement(text) ?? []);
  const areRead = statements.length === proof.statements.length;
  return {
    problems: [
      ...entryProblems(proof),
      ...(areRead ? [] : ['A statement cannot be read: its text has another form.']),
      ...(areRead ? chainProblems(proof, statements) : []),
      ...(areRead ? signatureProblems(proof, statements, trustedKeys) : []),
      ...(areRead ? inclusionProblems(proof, statements[0]) : []),
    ],
    isSigned: proof.inclusion !== null,
    signedUntil: proof.inclusion?.seq ?? 0,
    lastEntry: proof.entries.at(-1)?.seq ?? proof.base.seq,
    statements: areRead ? statements : [],
    isByTrustedKeys: trustedKeys.length > 0,
  };
}

/** The hash by which the next statement names this one. */
export function hashOfStatement(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** The hash of an entry, which follows from the one before it. */
function hashOfEntry(previous: string, text: string): string {
  return createHash('sha256').update(Buffer.from(previous, 'hex')).update(text).digest('hex');
}

function entryProblems({ walletId, base, entries }: WalletProof): string[] {
  const problems: string[] = [];
  if (base.seq === 0 && (base.balance !== 0 || base.hash !== NO_HASH)) {
    problems.push('The history does not begin with nothing: its base is of entry 0 and not empty.');
  }
  let before = base;
  for (const entry of entries) {
    const { seq, points, balanceAfter: balance, hash } = entry;
    const expected = before.balance + (entry.entryType === 'credit' ? points : -points);
    if (seq !== before.seq + 1) {
      problems.push(`Entry ${seq}: follows entry ${before.seq}, so entries are missing.`);
    } else if (balance !== expected) {
      problems.push(`Entry ${seq}: its balance is ${balance}, and the entries add to ${expected}.`);
    } else if (hash !== hashOfEntry(before.hash, entryText(walletId, entry))) {
      problems.push(`Entry ${seq}: its hash does not follow from it and the entry before it.`);
    }
    // Only the first problem of a history says where it was changed.
    if (problems.length > 0) return problems;
    before = { seq, balance, hash };
  }
  return problems;
}

function chainProblems(proof: WalletProof, statements: readonly Statement[]): string[] {
  return statements.flatMap((statement, index) => {
    const name = nameOf(statement);
    if (statement.tenantId !== proof.tenantId) return [`${name}: is of another tenant.`];
    const before = statements[index - 1];
    if (before === undefined) {
      const isFirst = statement.number === 1;
      return isFirst === (statement.previous === NO_HASH)
        ? []
        : [`${name}: the hash of the statement before it does not fit its number.`];
    }
    if (statement.number !== before.number + 1) {
      return [`${name}: follows statement ${before.number}, so statements are missing.`];
    }
    return statement.previous === hashOfStatement(proof.statements[index - 1]?.text ?? '')
      ? []
      : [`${name}: does not name the statement before it as it is here.`];
  });
}

function signatureProblems(
  proof: WalletProof,
  statements: readonly Statement[],
  trustedKeys: readonly string[],
): string[] {
  const given = trustedKeys.length > 0 ? trustedKeys : proof.keys.map((key) => key.publicKey);
  // The id is computed: what a file says about its keys could be anything.
  const keys = new Map(given.map(statementKey).map((key) => [key.keyId, key.publicKey]));
  return statements.flatMap((statement, index) => {
    const { text = '', signature = '' } = proof.statements[index] ?? {};
    const key = keys.get(statement.keyId);
    const whose = trustedKeys.length > 0 ? 'not one of the trusted keys' : 'not in the file';
    if (key === undefined) return [`${nameOf(statement)}: key ${statement.keyId} is ${whose}.`];
    return isSignedBy(key, text, signature)
      ? []
      : [`${nameOf(statement)}: its signature is not of key ${statement.keyId}.`];
  });
}

function inclusionProblems(proof: WalletProof, first: Statement | undefined): string[] {
  const { inclusion, walletId, base, entries } = proof;
  if (inclusion === null) {
    // The service adds statements only from one on that names the wallet.
    return first === undefined ? [] : ['No statement names this wallet, although some are here.'];
  }
  if (first === undefined) return ['There is no statement: nothing of the wallet is signed.'];
  const { seq, index, path } = inclusion;
  const head = seq === base.seq ? base.hash : entries.find((entry) => entry.seq === seq)?.hash;
  if (head === undefined) {
    return [`${nameOf(first)}: names entry ${seq}, which is not in the file.`];
  }
  const root = rootFromPath(leafHash(leafText({ walletId, seq, head })), {
    index,
    size: first.size,
    path: path.map((hash) => Buffer.from(hash, 'hex')),
  });
  return root?.toString('hex') === first.root
    ? []
    : [`${nameOf(first)}: does not name entry ${seq} with its hash: one of both was changed.`];
}

/** Lists what of an earlier proof a later one of the same wallet contradicts. */
export function contradictionsOf(earlier: WalletProof, later: WalletProof): string[] {
  if (earlier.walletId !== later.walletId || earlier.tenantId !== later.tenantId) {
    return ['The files are about different wallets.'];
  }
  const hashes = new Map([later.base, ...later.entries].map(({ seq, hash }) => [seq, hash]));
  const lastEntry = later.entries.at(-1)?.seq ?? later.base.seq;
  const problems = signedLess(earlier, later);
  // Only the first one says where the history was changed.
  const changed = [earlier.base, ...earlier.entries].find(
    ({ seq, hash }) => seq > lastEntry || (hashes.get(seq) ?? hash) !== hash,
  );
  if (changed !== undefined) {
    const what = changed.seq > lastEntry ? 'of the earlier proof is gone' : 'was another one';
    problems.push(`Entry ${changed.seq} ${what}.`);
  }
  const texts = new Map(
    later.statements.flatMap(({ text }) => {
      const number = parseStatement(text)?.number;
      return number === undefined ? [] : [[number, text] as const];
    }),
  );
  for (const { text } of earlier.statements) {
    const number = parseStatement(text)?.number ?? 0;
    const now = texts.get(number);
    if (now !== undefined && now !== text) problems.push(`Statement ${number} was another one.`);
  }
  return problems;
}

/** Statements stay: a later proof is signed at least as far as an earlier one. */
function signedLess(earlier: WalletProof, later: WalletProof): string[] {
  const [before, now] = [earlier.inclusion?.seq ?? 0, later.inclusion?.seq ?? 0];
  if (now >= before) return [];
  const rest = now === 0 ? 'and this one not at all' : `and this one up to entry ${now} only`;
  return [`The earlier proof is signed up to entry ${before}, ${rest}.`];
}

const nameOf = ({ number, day }: Statement) => `Statement ${number} of ${day}`;
