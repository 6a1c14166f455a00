import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Tx } from '../../../db/connection.ts';
import * as imports from '../../../db/imports/imports.ts';
import * as importRows from '../../../db/imports/rows.ts';
import { findOwners } from '../../../db/users/contacts.ts';
import { ImportId, type TenantId, type UserId } from '../../../domain/ids.ts';
import {
  type ImportRow,
  type InvalidRow,
  MOST_BYTES,
  type ReadFile,
  readRow,
  splitFile,
  sumUp,
} from '../../../domain/import-file.ts';
import { countRows, decideRows, isToDo } from '../../../domain/imports.ts';
import { actingBy } from '../../http/access/acting.ts';
import { refuseAnother } from '../../http/access/admission.ts';
import type { Deps } from '../../http/deps.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { route } from '../../http/route.ts';
import { ImportSchema, importAnswerOf, importExample } from '../../resources/import.ts';

/** A text of 1 MiB, with what JSON adds to it. */
const BODY_LIMIT_BYTES = Math.floor(1.1 * MOST_BYTES);
/** Each is read for up to two seconds, in turns with other requests. */
const UPLOADS_AT_ONCE = 2;
/** A phone takes some 0.1 ms to be read. */
const ROWS_OF_A_TURN = 100;
const AGAIN_SECONDS = 3_600;

const ImportRequest = z.object({
  csv: z
    .string()
    .max(MOST_BYTES)
    .describe(
      'The file: RFC 4180, with the header `email,phone,points`, at most 10,000 rows and 1 MiB. ' +
        'A row goes by its e-mail, or else by its phone, and has 1 to 100,000 points; all have ' +
        'at most 10,000,000.',
    ),
});

/** Where a page starts: below an import. */
const Position = z.tuple([z.literal('import'), ImportId]);

export const uploadImport = route({
  method: 'POST',
  path: '/client/tenants/:tenantId/imports',
  access: 'TENANT_REWARD_CONFIG',
  programme: true,
  status: 201,
  idempotent: true,
  bodyLimit: BODY_LIMIT_BYTES,
  atOnce: UPLOADS_AT_ONCE,
  tag: 'Merchant',
  summary: 'Upload members with their points of before',
  description:
    'Nothing is moved until an administrator approves it. Lines with mistakes are left out and ' +
    'listed. Of contacts only fingerprints are kept. Ten files can be uploaded in 24 hours.',
  refusals: ['RATE_LIMITED'],
  issues: ['too_many_imports'],
  body: ImportRequest,
  response: ImportSchema,
  examples: {
    body: { csv: 'email,phone,points\nada@example.com,,120\n,+4915123456789,80\n' },
    response: importExample,
  },

  async handle({ tenant, body, tx, contactFingerprints, ...request }) {
    await requireFewer(tx, tenant.id);
    const rows = splitFile(body.csv);
    const file = sumUp(await readInTurns(rows, tenant.country));
    await imports.lockShop(tx, tenant.id);
    // Once more, since others may have been uploaded meanwhile.
    await requireFewer(tx, tenant.id);
    const createdBy = request.user.id;
    const draft = { tenantId: tenant.id, rows: rows.length, createdBy, file };
    const uploaded = await store(tx, draft, contactFingerprints);
    const acting = actingBy(request);
    await imports.audit(tx, uploaded, { acting, done: 'upload', reason: null });
    return importAnswerOf(uploaded);
  },
});

async function requireFewer(tx: Tx, tenantId: TenantId): Promise<void> {
  if (await imports.mayUpload(tx, tenantId)) return;
  const message = `The shop uploaded ${imports.MOST_PER_DAY} imports within 24 hours.`;
  refuseAnother('too_many_imports', `${message} Try again tomorrow.`, AGAIN_SECONDS);
}

async function readInTurns(
  rows: ReturnType<typeof splitFile>,
  country: string | null,
): Promise<(ImportRow | InvalidRow)[]> {
  const read: (ImportRow | InvalidRow)[] = [];
  for (const [nth, row] of rows.entries()) {
    if (nth % ROWS_OF_A_TURN === 0) await setImmediate();
    read.push(readRow(row, country));
  }
  return read;
}

type Draft = { tenantId: TenantId; rows: number; createdBy: UserId; file: ReadFile };

/** Stores a draft with its rows, and what would become of them by now. */
async function store(
  tx: Tx,
  { file, tenantId, ...draft }: Draft,
  fingerprintsOf: Deps['contactFingerprints'],
) {
  const { taken, points, invalid } = file;
  // Read in the transaction that stores the rows: whoever verifies a contact waits for it.
  const owners = await findOwners(
    tx,
    taken.map(({ contact: { kind, text } }) => ({
      email: kind === 'email' ? text : null,
      phone: kind === 'phone' ? text : null,
    })),
  );
  const rows = taken.map(({ line, points, contact }, nth) => {
    const [fingerprint] = fingerprintsOf(contact.text);
    const [id, hex] = [String(line), fingerprint.toString('hex')];
    const stored = {
      line,
      points,
      contact: contact.kind,
      fingerprint,
      userId: owners[nth] ?? null,
    };
    return { stored, row: { id, fingerprint: hex, owner: stored.userId } };
  });
  const before = await importRows.findBrought(tx, tenantId, {
    importId: null,
    users: rows.flatMap(({ row }) => row.owner ?? []),
    fingerprints: rows.map(({ row }) => row.fingerprint),
  });
  const decided = decideRows(
    rows.map(({ row }) => row),
    before,
  );
  const foreseen = countRows(decided);
  const id = await imports.insert(tx, { ...draft, ...foreseen, tenantId, points, invalid });
  await importRows.insert(
    tx,
    { id, tenantId },
    rows.map(({ stored }) => stored),
  );
  return imports.get(tx, tenantId, id);
}

export const listImports = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/imports',
  access: 'TENANT_REWARD_CONFIG',
  programme: true,
  tag: 'Merchant',
  summary: 'List the imports of the tenant, newest first',
  query: z.object({ limit: pageLimit(50), cursor: pageCursor(Position) }),
  response: z.array(ImportSchema),
  examples: { response: [importExample] },

  handle({ tenant, query, db }) {
    const before = query.cursor?.[1] ?? null;
    return readPage(query.limit, {
      read: (limit) => imports.list(db, tenant.id, { limit, before }),
      show: importAnswerOf,
      position: ({ id }) => ['import', id],
    });
  },
});

export const showImport = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/imports/:importId',
  access: 'TENANT_REWARD_CONFIG',
  programme: true,
  tag: 'Merchant',
  summary: 'Show an import, and how far it is',
  refusals: ['NOT_FOUND'],
  response: ImportSchema,
  examples: { response: importExample },

  async handle({ tenant, params, db }) {
    return importAnswerOf(await imports.get(db, tenant.id, params.importId));
  },
});

export const withdrawImport = route({
  method: 'DELETE',
  path: '/client/tenants/:tenantId/imports/:importId',
  access: 'TENANT_REWARD_CONFIG',
  programme: true,
  tag: 'Merchant',
  summary: 'Withdraw an import that is not approved yet',
  description: 'Its rows are deleted. Repeating it changes nothing.',
  refusals: ['NOT_FOUND', 'RULE_REJECTED'],
  issues: ['import_state'],
  response: ImportSchema.extend({ ok: z.literal(true) }),
  examples: { response: { ok: true, ...importExample, status: 'withdrawn' } },

  handle: ({ tenant, params: { importId }, db, ...request }) =>
    db.transaction(async (tx) => {
      await imports.lockShop(tx, tenant.id);
      const found = await imports.get(tx, tenant.id, importId);
      if (isToDo('withdraw', found.status)) {
        await importRows.deleteOf(tx, found);
        await imports.setStatus(tx, found.id, 'withdrawn');
        const acting = actingBy(request);
        await imports.audit(tx, found, { acting, done: 'withdraw', reason: null });
      }
      const withdrawn = await imports.get(tx, tenant.id, importId);
      return { ok: true as const, ...importAnswerOf(withdrawn) };
    }),
});
