import { z } from 'zod';
import { ImportId, TenantId } from '../../domain/ids.ts';
import { IMPORT_STATUSES, type MemberImport } from '../../domain/imports.ts';
import { IssueCodeSchema } from '../http/replies/errors.ts';

const Count = z.int().nullable();

/** An import of members, as its merchant sees it. */
export const ImportSchema = z
  .object({
    id: ImportId,
    status: z
      .enum(IMPORT_STATUSES)
      .describe(
        '`draft` until an administrator approves it; `running` while its rows are brought over, ' +
          '`reverting` while they are taken back.',
      ),
    rows: z.int().describe('Below the header, those with mistakes included.'),
    points: z.int().describe('Of the rows without mistakes, in all.'),
    invalid: z
      .array(
        z.object({
          line: z.int().describe('The header is line 1.'),
          code: IssueCodeSchema,
        }),
      )
      .describe('The lines that were left out, at most 100.'),
    matched: Count.describe(
      'Rows whose customers have their points. Null for merchants until it is approved.',
    ),
    waiting: Count.describe(
      'Rows whose customers have not signed up yet: for 12 months after the approval if they go ' +
        'by an e-mail, for 90 days if by a phone. Null for merchants until it is approved.',
    ),
    repeated: Count.describe(
      'Rows of customers who were brought over before. Null for merchants until it is approved.',
    ),
    notTaken: z.int().describe('Points that a revert could not take back: they had been used.'),
    createdAt: z.iso.datetime(),
    approvedAt: z.iso.datetime().nullable().describe('Null until it is approved.'),
  })
  .meta({ id: 'Import' });

/** An import of members, as administrators see it. */
export const AdminImportSchema = ImportSchema.extend({
  tenantId: TenantId,
  tenantName: z.string().describe('The name of the shop.'),
}).meta({ id: 'AdminImport' });

export const importExample: z.infer<typeof ImportSchema> = {
  id: ImportId.parse('2d7e9c1a-4b6f-4e8d-a0c2-5f7b9d1e3a4c'),
  status: 'draft',
  rows: 500,
  points: 41_500,
  invalid: [{ line: 17, code: 'invalid_format' }],
  matched: null,
  waiting: null,
  repeated: null,
  notTaken: 0,
  createdAt: '2026-01-15T10:00:00.000Z',
  approvedAt: null,
};

export const adminImportExample: z.infer<typeof AdminImportSchema> = {
  ...importExample,
  tenantId: TenantId.parse('9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42'),
  tenantName: 'Corner Café',
  matched: 412,
  waiting: 84,
  repeated: 3,
};

/**
 * Builds what a merchant sees of an import. Until it is approved, nobody learns from it which
 * people the service knows.
 */
export function importAnswerOf(found: MemberImport) {
  const hidden = { matched: null, waiting: null, repeated: null };
  return { ...shownOf(found), ...(found.approvedAt === null && hidden) };
}

/** Builds what an administrator sees of an import. */
export function adminImportOf(found: MemberImport & { tenantName: string }) {
  const { tenantId, tenantName } = found;
  return { ...shownOf(found), tenantId, tenantName };
}

function shownOf({ createdAt, approvedAt, ...found }: MemberImport) {
  const { id, status, rows, points, invalid, matched, waiting, repeated, notTaken } = found;
  return {
    id,
    status,
    rows,
    points,
    invalid,
    matched,
    waiting,
    repeated,
    notTaken,
    createdAt: createdAt.toISOString(),
    approvedAt: approvedAt?.toISOString() ?? null,
  };
}
