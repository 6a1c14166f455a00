import { z } from 'zod';
import * as auditLog from '../../db/audit-log.ts';
import { TenantId, UserId } from '../../domain/ids.ts';
import { pageCursor, pageLimit, readPage } from '../http/replies/pagination.ts';
import {
  type CsvAsked,
  type CsvTable,
  csvAnswer,
  csvParameters,
} from '../http/replies/table-answer.ts';
import { timeParameter } from '../http/requests/filters.ts';

const State = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

export const AuditEntrySchema = z
  .object({
    id: z.uuid(),
    actor: z
      .enum(auditLog.AUDIT_ACTORS)
      .describe('`ops`: an operator of the service, by command or configuration, or the service.'),
    actorUserId: UserId.nullable().describe('Null for `ops`.'),
    actorEmail: z
      .string()
      .nullable()
      .describe("The user's e-mail as it is today. Merchants see those of their own people only."),
    operator: z
      .string()
      .nullable()
      .describe('Who ran the command, for `ops`. Null where there was none, and for merchants.'),
    action: z.enum(auditLog.AUDIT_ACTIONS),
    targetType: z.enum(auditLog.AUDIT_TARGETS),
    targetId: z.uuid().nullable().describe('Null for a key, and for counts of all connections.'),
    tenantId: TenantId.nullable(),
    reason: z.string().nullable(),
    before: State.describe('The state before the action.'),
    after: State.describe('The state after the action.'),
    requestId: z
      .string()
      .describe('The correlation id of the request, which its caller may have chosen.'),
    generatedRequestId: z
      .uuid()
      .nullable()
      .describe('The id that the service gave the request. Null for `ops`, and for older entries.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'AuditEntry' });

export const auditEntryExample = {
  id: '7b0e6d5c-4f3a-4b2e-9d1c-8a7f6e5d4c3b',
  actor: 'user',
  actorUserId: '2c4e6a80-1b3d-4f5a-8c7e-9d0b1a2f3e4c',
  actorEmail: 'admin@example.com',
  operator: null,
  action: 'wallet.adjust',
  targetType: 'wallet',
  targetId: '6f9d4f63-5c0e-4a53-9a11-1d7f0a5b7c21',
  tenantId: '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42',
  reason: 'A receipt was credited twice.',
  before: { balance: 1250 },
  after: { balance: 1200, points: -50, ledgerEntryId: '3d1f6a8e-7c44-4e0a-9b9e-5a2c8d7e6f10' },
  requestId: '8c1f2d3e-4b5a-4c6d-8e7f-9a0b1c2d3e4f',
  generatedRequestId: '5e8d7c6b-2a1f-4c3d-9b8a-7f6e5d4c3b2a',
  createdAt: '2026-01-15T10:00:02.000Z',
} as const;

/** Where a page starts: below a sequence number of the log. */
const Position = z.tuple([z.literal('audit'), z.coerce.number().pipe(z.int())]);

/** What a list of entries can be narrowed down to, and its pages. */
export const AuditQuery = z.object({
  action: z.enum(auditLog.AUDIT_ACTIONS).optional().describe('Entries of this action.'),
  target: z.uuid().optional().describe('The id of what was acted on.'),
  from: timeParameter().optional().describe('Entries of this time and later.'),
  to: timeParameter().optional().describe('Entries before this time.'),
  ...csvParameters,
  limit: pageLimit(50),
  cursor: pageCursor(Position),
});

/** What is answered: a query, and how its caller wants a table. */
type AuditRequest = Pick<CsvAsked, 'language' | 'tenant'> & {
  query: z.output<typeof AuditQuery>;
  wantsCsv: boolean;
  now(): Date;
};

type Filter = Omit<auditLog.AuditFilter, 'actorUserId' | 'targetUserId'> & {
  limit: number;
  before?: number;
};

/** How a list of entries is read, and what its columns are as CSV. */
type Listing<Entry> = Pick<CsvTable<Entry>, 'name' | 'columns' | 'row'> & {
  read(filter: Filter): Promise<Entry[]>;
};

/** Answers a page of entries, which are read with the filters of the query, or all as CSV. */
export async function auditAnswer<Entry extends auditLog.AuditEntry>(
  { query, wantsCsv, language, tenant, now }: AuditRequest,
  { read, ...table }: Listing<Entry>,
) {
  const { cursor, target, limit, columns, timeZone, ...filter } = query;
  const show = (entry: Entry) => ({ ...entry, createdAt: entry.createdAt.toISOString() });
  const readBelow = (most: number, before: number | undefined) =>
    read({ ...filter, ...(before !== undefined && { before }), targetId: target, limit: most });
  if (wantsCsv) {
    return csvAnswer<Entry>(
      { columns, timeZone, language, tenant, now },
      { ...table, show, read: (most, last) => readBelow(most, last?.seq) },
    );
  }
  return readPage(limit, {
    read: (most) => readBelow(most, cursor?.[1]),
    show,
    position: ({ seq }) => ['audit', String(seq)],
  });
}
