import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { lineOf } from '../db/errors.ts';
import { parseJson } from '../domain/json.ts';
import { WalletProof } from '../domain/wallet-proof.ts';
import { type CheckedProof, checkProof, contradictionsOf } from '../gateways/crypto/proof-check.ts';
import { type Command, type Done, describeFields, onlyArgument, UsageError } from './command.ts';

export const checkProofFile: Command = {
  usage: 'check-proof FILE [--key KEYS] [--earlier FILE]',
  options: ['key', 'earlier'],
  summary:
    'Verifies the proof of a wallet without the database: with the public keys KEYS ' +
    '(comma-separated), or those that it holds; and that it agrees with an earlier one',
  async run({ args, options }) {
    const keys = parseKeys(options.key);
    const proof = await readProof(onlyArgument(args, 'FILE'));
    const checked = checkProof(proof, keys);
    const problems = [...checked.problems];
    const notes: string[] = [];
    if (options.earlier !== undefined) {
      const earlier = await readProof(options.earlier);
      const ofEarlier = checkProof(earlier, keys);
      problems.push(...ofEarlier.problems.map((problem) => `The earlier proof: ${problem}`));
      problems.push(...contradictionsOf(earlier, proof));
      if (!ofEarlier.isSigned) notes.push(EARLIER_UNSIGNED);
    }
    return describe(proof, { ...checked, problems }, notes);
  },
};

const EARLIER_UNSIGNED =
  'The earlier proof is not signed: its entries were compared, but anybody can make such a file.';

const KEY = /^[0-9a-f]{64}$/;

function parseKeys(key: string | undefined): string[] {
  const keys = key === undefined ? [] : key.split(',').map((each) => each.trim());
  if (!keys.every((each) => KEY.test(each))) {
    throw new UsageError('--key must be public keys of 64 lower-case hexadecimal digits.');
  }
  return keys;
}

async function readProof(path: string): Promise<WalletProof> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`${path} cannot be read: ${lineOf(error)}`);
  });
  const json = parseJson(text);
  if (json === undefined) {
    throw new Error(`${path} is not JSON: it is not a proof, or not a whole one.`);
  }
  const { data, error } = WalletProof.safeParse(json);
  if (data === undefined) {
    throw new Error(`${path} is not a proof of a wallet:\n${z.prettifyError(error)}`);
  }
  return data;
}

/** The last line of the answer. */
const VERDICTS = {
  right: 'The proof is right.',
  not_signed_yet:
    'The proof is not signed yet. Ask for another one after the end of the UTC day (00:00 UTC).',
  not_right: 'The proof is NOT right.',
};

function verdictOf({ problems, isSigned }: CheckedProof): keyof typeof VERDICTS {
  if (problems.length > 0) return 'not_right';
  return isSigned ? 'right' : 'not_signed_yet';
}

function describe(proof: WalletProof, checked: CheckedProof, others: readonly string[]): Done {
  const { problems, signedUntil, lastEntry, isByTrustedKeys, statements } = checked;
  const verdict = verdictOf(checked);
  const isRight = verdict === 'right';
  const [first, newest] = [statements[0], statements.at(-1)];
  const facts = {
    wallet: proof.walletId,
    tenant: proof.tenantId,
    entries: proof.entries.length === 0 ? 'none' : `${proof.base.seq + 1} to ${lastEntry}`,
    balance: proof.entries.at(-1)?.balanceAfter ?? proof.base.balance,
    signed: isRight ? `up to entry ${signedUntil}` : null,
    statement: isRight && first ? `${first.number} of ${first.day}, ${first.at}` : null,
    newestStatement: isRight && newest ? `${newest.number} of ${newest.day}` : null,
    keys: [...new Set(statements.map(({ keyId }) => keyId))].join(', '),
  };
  const notes = verdict === 'not_right' ? problems : [...notesOf(proof, checked), ...others];
  const lines = [...notes, VERDICTS[verdict]].map((line) => `${line}\n`).join('');
  return {
    data: { verdict, isRight, problems, signedUntil, lastEntry, isByTrustedKeys, ...facts },
    text: `${describeFields(facts)}${lines}`,
    failed: verdict === 'not_right',
    undecided: verdict === 'not_signed_yet',
  };
}

/** What a proof without a problem does not show. */
function notesOf({ base }: WalletProof, checked: CheckedProof): string[] {
  const { lastEntry, signedUntil, isSigned } = checked;
  const notes: string[] = [];
  if (base.seq > 0) notes.push(`Entries up to ${base.seq} are not in the file.`);
  if (!isSigned) {
    return [...notes, 'Its entries follow from each other, but no statement names the wallet.'];
  }
  if (lastEntry > signedUntil) {
    const count = lastEntry - signedUntil;
    notes.push(`The last ${count} entries are not signed yet: no statement covers them.`);
  }
  if (!checked.isByTrustedKeys) {
    notes.push('The keys came with the file: compare them with GET /api/v1/statement-keys.');
  }
  return notes;
}
