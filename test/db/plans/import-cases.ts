import { createHash } from 'node:crypto';
import * as importing from '../../../db/imports/imports.ts';
import * as importRows from '../../../db/imports/rows.ts';
import * as waiting from '../../../db/imports/waiting.ts';
import * as adjusting from '../../../db/ledger/adjusted.ts';
import * as contacts from '../../../db/users/contacts.ts';
import type { ImportId, UserId } from '../../../domain/ids.ts';
import { at, type Case, LIMIT, manyOf, tenantId, userId, walletId } from './cases.ts';
import { idOf } from './rows.ts';

const [id = at.import] = manyOf(1, 'import') as ImportId[];
const ids = manyOf(LIMIT, 'import') as ImportId[];
const rowIds = manyOf(LIMIT, 'import row');
const fingerprints = Array.from({ length: LIMIT }, (_, nth) =>
  createHash('sha256').update(String(nth)).digest(),
);
const users = manyOf(LIMIT, 'user') as UserId[];
const its = { id, tenantId };

/** What members of before take, of whom the first import has very many. */
export const IMPORTS: readonly Case[] = [
  ...[null, at.import].flatMap((before): Case[] => [
    {
      covers: 'imports/imports.list',
      rows: LIMIT,
      run: (tx) => importing.list(tx, tenantId, { limit: LIMIT, before }),
    },
    {
      covers: 'imports/imports.listAll',
      rows: LIMIT,
      run: (tx) => importing.listAll(tx, { limit: LIMIT, before }),
    },
  ]),
  { covers: 'imports/imports.get', rows: 1, run: (tx) => importing.get(tx, tenantId, id) },
  { covers: 'imports/imports.getNamed', rows: 1, run: (tx) => importing.getNamed(tx, id) },
  {
    covers: 'imports/imports.findUnderWay',
    rows: LIMIT,
    run: (tx) => importing.findUnderWay(tx, ids),
  },
  {
    covers: 'imports/imports.findNotices',
    rows: LIMIT,
    run: (tx) => importing.findNotices(tx, ids),
  },
  { covers: 'imports/imports.mayUpload', rows: 10, run: (tx) => importing.mayUpload(tx, tenantId) },
  {
    covers: 'imports/imports.findActing',
    rows: LIMIT,
    run: (tx) => importing.findActing(tx, its, 'approve').catch(() => undefined),
  },
  {
    covers: 'imports/imports.concerns',
    rows: LIMIT,
    run: (tx) => importing.concerns(tx, its, { userId, fingerprints }),
  },
  {
    covers: 'imports/rows.deleteOf',
    rows: LIMIT,
    run: (tx) => importRows.deleteOf(tx, { ...its, id: at.import }),
  },
  ...[null, id].map(
    (importId): Case => ({
      covers: 'imports/rows.findBrought',
      rows: LIMIT,
      run: (tx) =>
        importRows.findBrought(tx, tenantId, {
          importId,
          users,
          fingerprints: fingerprints.map((each) => each.toString('hex')),
        }),
    }),
  ),
  ...(['running', 'reverting'] as const).flatMap((status): Case[] => [
    {
      covers: 'imports/rows.listOpen',
      rows: 4 * LIMIT,
      run: (tx) => importRows.listOpen(tx, { ...its, status }, { after: 1_000, limit: LIMIT }),
    },
    {
      covers: 'imports/rows.lockOpen',
      rows: LIMIT,
      run: (tx) => importRows.lockOpen(tx, { ...its, status }, rowIds),
    },
  ]),
  {
    covers: 'imports/waiting.listByContact',
    rows: LIMIT,
    run: (tx) => waiting.listByContact(tx, fingerprints),
  },
  {
    covers: 'imports/waiting.lockUndecided',
    rows: 1,
    run: (tx) => waiting.lockUndecided(tx, { id: idOf('import row', 2), tenantId }),
  },
  {
    covers: 'imports/waiting.dropOverdue',
    rows: LIMIT,
    run: (tx) => waiting.dropOverdue(tx, LIMIT),
  },
  {
    covers: 'ledger/adjusted.findImported',
    rows: LIMIT,
    run: (tx) => adjusting.findImported(tx, walletId, rowIds),
  },
  {
    covers: 'users/contacts.findOwners',
    rows: LIMIT,
    run: (tx) =>
      contacts.findOwners(
        tx,
        users.map((_, nth) => ({ email: `user${nth}@example.com`, phone: null })),
      ),
  },
];
