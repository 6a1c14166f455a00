import { type ExportedEntry, readLedger } from '../db/ledger/export.ts';
import { TenantId } from '../domain/ids.ts';
import { type Command, idOf, onlyArgument } from './command.ts';

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

const HEADING =
  'entry_id,wallet_id,user_id,seq,entry_type,points,balance_after,reason,source_type,source_id,' +
  'created_at,hash\n';

export const exportLedger: Command = {
  usage: 'export-ledger TENANT',
  summary: 'Writes every ledger entry of a tenant as CSV, with --json as a JSON object a line',
  async run({ args, db, write, json }) {
    const tenantId = idOf(TenantId, onlyArgument(args, 'TENANT'), 'TENANT');
    let isFirst = true;
    await readLedger(db, tenantId, async (entries) => {
      const lines = entries.map(json ? jsonLine : csvLine).join('');
      await write(isFirst && !json ? HEADING + lines : lines);
      isFirst = false;
    });
    if (isFirst && !json) await write(HEADING);
    return null;
  },
};

function jsonLine(entry: ExportedEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

/** No value holds a comma or a quote: they are ids, numbers, known words, times and hex digits. */
function csvLine(entry: ExportedEntry): string {
  const values = COLUMNS.map((column) => entry[column]);
  return `${values.map((value) => (value instanceof Date ? value.toISOString() : value)).join()}\n`;
}
