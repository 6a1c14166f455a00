import {
  countLeft,
  type ExportedEntry,
  type ExportedUntil,
  readLedger,
} from '../db/ledger/export.ts';
import { TenantId, WalletId } from '../domain/ids.ts';
import { showProgress } from '../gateways/terminal/progress.ts';
import { type Command, onlyArgument, parseId, UsageError } from './command.ts';

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
  usage: 'export-ledger TENANT [--after WALLET:SEQ]',
  options: ['after'],
  summary:
    'Writes every ledger entry of a tenant as CSV, or one JSON object per line with --json; ' +
    'continues an interrupted export after its last complete line',
  async run({ args, options, db, write, json }) {
    const tenantId = parseId(TenantId, onlyArgument(args, 'TENANT'), 'TENANT');
    const after = options.after === undefined ? undefined : parseAfter(options.after);
    const progress = await showProgress('entries', () => countLeft(db, tenantId, after));
    let exported = 0;
    let needsHeader = !json && after === undefined;
    const lines = async (entries: ExportedEntry[]) => {
      const text = entries.map(json ? toJsonLine : toCsvLine).join('');
      await write(needsHeader ? CSV_HEADER + text : text);
      needsHeader = false;
      exported += entries.length;
      progress.at(exported);
    };
    await readLedger(db, tenantId, lines, after).finally(progress.end);
    if (needsHeader) await write(CSV_HEADER);
    return null;
  },
};

function parseAfter(text: string): ExportedUntil {
  const [, wallet = '', seq = ''] = /^(.*):(\d+)$/.exec(text) ?? [];
  if (seq === '') throw new UsageError('--after must be a wallet and a number, as in WALLET:12.');
  return { walletId: parseId(WalletId, wallet, '--after'), seq: Number(seq) };
}

function toJsonLine(entry: ExportedEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

/** Needs no quoting: values are ids, numbers, known words, times and hexadecimal digits. */
function toCsvLine(entry: ExportedEntry): string {
  return `${COLUMNS.map((column) => entry[column]).join()}\n`;
}
