import { z } from 'zod';
import type { Tx } from '../../../db/connection.ts';
import * as dueWork from '../../../db/due-work.ts';
import * as imports from '../../../db/imports/imports.ts';
import type { User } from '../../../db/users/users.ts';
import { Reason } from '../../../domain/adjustment.ts';
import { Refusal } from '../../../domain/errors.ts';
import { ImportId } from '../../../domain/ids.ts';
import { MOST_POINTS } from '../../../domain/import-file.ts';
import { type ImportAct, isToDo, requireRevertible, requireSum } from '../../../domain/imports.ts';
import { inAscii, normaliseEmail } from '../../../domain/matching.ts';
import { requireActiveShop } from '../../../domain/tenant-status.ts';
import { type ActingRequest, actingBy } from '../../http/access/acting.ts';
import type { Deps } from '../../http/deps.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { route } from '../../http/route.ts';
import { AdminImportSchema, adminImportExample, adminImportOf } from '../../resources/import.ts';

/** Where a page starts: below an import. */
const Position = z.tuple([z.literal('import'), ImportId]);

const approvedAt = '2026-01-15T11:00:00.000Z';

export const listAllImports = route({
  method: 'GET',
  path: '/admin/imports',
  access: 'ADMIN_WALLET_ADJUST',
  programme: true,
  tag: 'Admin',
  summary: 'List the imports of all shops, newest first',
  query: z.object({ limit: pageLimit(50), cursor: pageCursor(Position) }),
  response: z.array(AdminImportSchema),
  examples: { response: [adminImportExample] },

  handle({ query, db }) {
    const before = query.cursor?.[1] ?? null;
    return readPage(query.limit, {
      read: (limit) => imports.listAll(db, { limit, before }),
      show: adminImportOf,
      position: ({ id }) => ['import', id],
    });
  },
});

export const approveImport = route({
  method: 'POST',
  path: '/admin/imports/:importId/approve',
  access: 'ADMIN_WALLET_ADJUST',
  programme: true,
  idempotent: true,
  tag: 'Admin',
  summary: 'Approve an import',
  description:
    'Its rows are brought over within minutes: each is an adjustment of a wallet, which does not ' +
    'count to the limit of a day. Customers who have not signed up get theirs when they do. ' +
    'Repeat its sum of points. Refused to whoever uploaded it, works or worked at the shop, or ' +
    'is named in a row. Repeating it changes nothing.',
  refusals: ['NOT_FOUND', 'FORBIDDEN', 'RULE_REJECTED'],
  issues: ['own_wallet', 'tenant_suspended', 'import_changed', 'import_state'],
  body: z.object({
    points: z.int().min(1).max(MOST_POINTS).describe('The sum of the import, as it was looked at.'),
  }),
  response: AdminImportSchema,
  examples: {
    body: { points: 41_500 },
    response: { ...adminImportExample, status: 'running', approvedAt },
  },

  async handle({ params, body, tx, contactFingerprints, ...request }) {
    return act(tx, params.importId, { done: 'approve', reason: null, request }, async (found) => {
      await requireOther(tx, found, request.user, contactFingerprints);
      const isNew = isToDo('approve', found.status);
      requireSum(found, body.points);
      if (isNew) requireActiveShop({ status: found.tenantStatus });
      return isNew;
    });
  },
});

export const revertImport = route({
  method: 'POST',
  path: '/admin/imports/:importId/revert',
  access: 'ADMIN_WALLET_ADJUST',
  programme: true,
  idempotent: true,
  tag: 'Admin',
  summary: 'Take an import back',
  description:
    'Within 24 hours of its approval. Rows that wait are dropped, and of the others the points ' +
    'are taken back as far as their wallets hold them: the rest is `notTaken`. Its customers can ' +
    'then be brought over anew. Repeating it changes nothing.',
  refusals: ['NOT_FOUND', 'RULE_REJECTED'],
  issues: ['import_state'],
  body: z.object({ reason: Reason.describe('Why; kept in the audit log.') }),
  response: AdminImportSchema,
  examples: {
    body: { reason: 'The shop uploaded the file of another one.' },
    response: { ...adminImportExample, status: 'reverting', approvedAt },
  },

  async handle({ params, body: { reason }, tx, now, ...request }) {
    return act(tx, params.importId, { done: 'revert', reason, request }, async (found) => {
      const isNew = isToDo('revert', found.status);
      if (isNew) requireRevertible(found, now());
      return isNew;
    });
  },
});

type Act = {
  done: Exclude<ImportAct, 'withdraw'>;
  reason: string | null;
  request: ActingRequest;
};

/** Moves an import on, once, under the lock of its shop, where `isNew` says that it has to. */
async function act(
  tx: Tx,
  id: ImportId,
  { done, reason, request }: Act,
  isNew: (found: imports.NamedImport) => Promise<boolean>,
) {
  const { tenantId } = await imports.getNamed(tx, id);
  await imports.lockShop(tx, tenantId);
  const found = await imports.getNamed(tx, id);
  if (!(await isNew(found))) return adminImportOf(found);
  await imports.setStatus(tx, id, done === 'approve' ? 'running' : 'reverting');
  await imports.audit(tx, found, { acting: actingBy(request), done, reason });
  await dueWork.note(tx, 'run_import', [id]);
  return adminImportOf(await imports.getNamed(tx, id));
}

/** Throws FORBIDDEN to whoever has to do with an import. */
async function requireOther(
  tx: Tx,
  found: imports.NamedImport,
  { id: userId, email, phone }: User,
  fingerprintsOf: Deps['contactFingerprints'],
): Promise<void> {
  const address = normaliseEmail(email);
  const contacts = [address === null ? null : inAscii(address), phone];
  const fingerprints = contacts.flatMap((contact) =>
    contact === null ? [] : [...fingerprintsOf(contact)],
  );
  const isTheirs = await imports.concerns(tx, found, { userId, fingerprints });
  if (!isTheirs && found.createdBy !== userId) return;
  const message = 'You have to do with this import yourself. Ask another administrator.';
  throw new Refusal('FORBIDDEN', message, 'own_wallet');
}
