import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { lineOf } from '../db/errors.ts';
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
    if (options.earlier !== undefined) {
      const earlier = await readProof(options.earlier);
      const ofEarlier = checkProof(earlier, keys).problems;
      problems.push(...ofEarlier.map((problem) => `The earlier proof: ${problem}`));
      problems.push(...contradictionsOf(earlier, proof));
    }
    return describe(proof, { ...checked, problems });
  },
};

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
  const { data, error } = WalletProof.safeParse(parseJson(path, text));
  if (data === undefined) {
    throw new Error(`${path} is not a proof of a wallet:\n${z.prettifyError(error)}`);
  }
  return data;
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${path} is not JSON: it is not a proof, or not a whole one.`);
  }
}

function describe(proof: WalletProof, checked: CheckedProof): Done {
  const { problems, signedUntil, lastEntry, isByTrustedKeys, statements } = checked;
  const isRight = problems.length === 0;
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
  const notes = isRight ? notesOf(proof, checked) : problems;
  const verdict = isRight ? 'The proof is right.' : 'The proof is NOT right.';
  const lines = [...notes, verdict].map((line) => `${line}\n`).join('');
  return {
    data: { isRight, problems, signedUntil, lastEntry, isByTrustedKeys, ...facts },
    text: `${describeFields(facts)}${lines}`,
    failed: !isRight,
  };
}

/** What a right proof does not show. */
function notesOf({ base }: WalletProof, checked: CheckedProof): string[] {
  const unsigned = checked.lastEntry - checked.signedUntil;
  const notes: string[] = [];
  if (base.seq > 0) notes.push(`Entries up to ${base.seq} are not in the file.`);
  if (unsigned > 0) {
    notes.push(`The last ${unsigned} entries are not signed yet: no statement covers them.`);
  }
  if (!checked.isByTrustedKeys) {
    notes.push('The keys came with the file: compare them with GET /api/v1/statement-keys.');
  }
  return notes;
}
