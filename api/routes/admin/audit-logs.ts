import { z } from 'zod';
import * as auditLog from '../../../db/audit-log.ts';
import { TenantId, UserId } from '../../../domain/ids.ts';
import { pageCursor, pageLimit, readPage } from '../../http/pagination.ts';
import { route } from '../../http/route.ts';

const State = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

const AuditEntrySchema = z
  .object({
    id: z.uuid(),
    actorUserId: UserId.nullable().describe('Null for an operator’s command.'),
    action: z.enum(auditLog.AUDIT_ACTIONS),
    targetType: z.enum(auditLog.AUDIT_TARGETS),
    targetId: z.uuid(),
    tenantId: TenantId.nullable(),
    reason: z.string().nullable(),
    before: State.describe('The state before the action.'),
    after: State.describe('The state after the action.'),
    requestId: z.string().describe('The correlation id of the request.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'AuditEntry' });

const example = {
  id: '7b0e6d5c-4f3a-4b2e-9d1c-8a7f6e5d4c3b',
  actorUserId: '2c4e6a80-1b3d-4f5a-8c7e-9d0b1a2f3e4c',
  action: 'wallet.adjust',
  targetType: 'wallet',
  targetId: '6f9d4f63-5c0e-4a53-9a11-1d7f0a5b7c21',
  tenantId: '9a1c7f0e-2b67-4a35-8f0d-3b8e6a1d5c42',
  reason: 'A receipt was credited twice.',
  before: { balance: 1250 },
  after: { balance: 1200, points: -50, ledgerEntryId: '3d1f6a8e-7c44-4e0a-9b9e-5a2c8d7e6f10' },
  requestId: '8c1f2d3e-4b5a-4c6d-8e7f-9a0b1c2d3e4f',
  createdAt: '2026-01-15T10:00:02.000Z',
} as const;

/** Where a page starts: below a sequence number of the log. */
const Position = z.tuple([z.literal('audit'), z.coerce.number().pipe(z.int())]);

export const listAuditLogs = route({
  method: 'GET',
  path: '/admin/audit-logs',
  access: 'ADMIN_AUDIT_LOGS_VIEW',
  tag: 'Admin',
  summary: 'List the audit log of administrators, newest first',
  query: z.object({ limit: pageLimit(50), cursor: pageCursor(Position) }),
  response: z.array(AuditEntrySchema),
  examples: { response: [example] },

  handle({ query, db }) {
    const before = query.cursor?.[1];
    return readPage(query.limit, {
      read: (limit) => auditLog.list(db, { limit, before }),
      show: (entry) => ({ ...entry, createdAt: entry.createdAt.toISOString() }),
      position: ({ seq }) => ['audit', String(seq)],
    });
  },
});
