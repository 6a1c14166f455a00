import * as auditLog from '../db/audit-log.ts';
import { untilReadersEnd } from '../db/open-transactions.ts';
import { type Command, requireNoArguments, UsageError } from './command.ts';

const PAGE = 1_000;
/** Longer than any transaction that writes an entry. */
const PATIENCE_MS = 60_000;

export const exportAuditLog: Command = {
  usage: 'export-audit-log [--after SEQ]',
  options: ['after'],
  summary:
    'Writes the audit log as one JSON object per line, oldest first; follows it with --after, ' +
    'the seq of the last line',
  async run({ args, options, db, write }) {
    requireNoArguments(args);
    let after = options.after === undefined ? 0 : parseSeq(options.after);
    const upTo = await auditLog.lastSeq(db);
    // A number is given out before its entry is committed: one below may be missing until then.
    if (!(await untilReadersEnd(db, 'audit_log', PATIENCE_MS))) {
      throw new Error('A transaction that may write entries is still open. Run it again later.');
    }
    for (;;) {
      const entries = await auditLog.listInOrder(db, { after, upTo, limit: PAGE });
      await write(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
      after = entries.at(-1)?.seq ?? after;
      if (entries.length < PAGE) return null;
    }
  },
};

function parseSeq(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError('--after must be the seq of an entry.');
  return Number(text);
}
