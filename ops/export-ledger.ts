import { type ExportedEntry, readLedger } from '../db/ledger/export.ts';
import { TenantId } from '../domain/ids.ts';
import { type Command, onlyArgument, parseId } from './command.ts';

const COLUMNS = [
  'id',
  'walletId',
  'userId',
  'seq',
  'entryType',
  'points',
  'balanceAfter',
  'reason',
  'sourceType',
  'sourceId',
  'createdAt',
  'hash',
] satisfies (keyof ExportedEntry)[];

const CSV_HEADER =
  'entry_id,wallet_id,user_id,seq,entry_type,points,balance_after,reason,source_type,source_id,' +
  'created_at,hash\n';

export const exportLedger: Command = {
  usage: 'export-ledger TENANT',
  summary: 'Writes every ledger entry of a tenant as CSV, or one JSON object per line with --json',
  async run({ args, db, write, json }) {
    const tenantId = parseId(TenantId, onlyArgument(args, 'TENANT'), 'TENANT');
    let isFirst = true;
    await readLedger(db, tenantId, async (entries) => {
      const lines = entries.map(json ? toJsonLine : toCsvLine).join('');
      await write(isFirst && !json ? CSV_HEADER + lines : lines);
      isFirst = false;
    });
    if (isFirst && !json) await write(CSV_HEADER);
    return null;
  },
};

function toJsonLine(entry: ExportedEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

/** Needs no quoting: values are ids, numbers, known words, times and hexadecimal digits. */
function toCsvLine(entry: ExportedEntry): string {
  const values = COLUMNS.map((column) => entry[column]);
  return `${values.map((value) => (value instanceof Date ? value.toISOString() : value)).join()}\n`;
}
