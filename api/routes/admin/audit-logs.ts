import { z } from 'zod';
import * as auditLog from '../../../db/audit-log.ts';
import { UserId } from '../../../domain/ids.ts';
import { ABOUT_CSV } from '../../http/replies/table-answer.ts';
import { route } from '../../http/route.ts';
import {
  AuditEntrySchema,
  AuditQuery,
  auditAnswer,
  auditEntryExample,
} from '../../resources/audit-entry.ts';
import { auditColumns } from '../../resources/table-columns.ts';

/** Longer than any that is accepted of a caller. */
const MAX_REQUEST_ID_LENGTH = 200;

const NamedAuditEntry = AuditEntrySchema.extend({
  tenantName: z.string().nullable().describe('What the tenant is called today.'),
  tenantCurrency: z.string().nullable().describe('In which its amounts are.'),
  targetUserId: UserId.nullable().describe('The user who was acted on, or whose wallet was.'),
  targetContact: z
    .string()
    .nullable()
    .describe("That user's e-mail, or phone without one; of an invite the invited address."),
}).meta({ id: 'NamedAuditEntry' });

export const listAuditLogs = route({
  method: 'GET',
  path: '/admin/audit-logs',
  access: 'ADMIN_AUDIT_LOGS_VIEW',
  csv: true,
  tag: 'Admin',
  summary: 'List the audit log, newest first',
  description: `Filters narrow the list down together. ${ABOUT_CSV}`,
  query: AuditQuery.extend({
    actor: UserId.optional().describe('The id of the user who acted.'),
    targetUser: UserId.optional().describe(
      'The id of the user who was acted on, or whose wallet was.',
    ),
    request: z
      .string()
      .max(MAX_REQUEST_ID_LENGTH)
      .optional()
      .describe('The correlation id of the request.'),
  }),
  response: z.array(NamedAuditEntry),
  examples: {
    response: [
      {
        ...auditEntryExample,
        tenantName: 'Corner Café',
        tenantCurrency: 'EUR',
        targetUserId: '0f3d5b7a-9c1e-4d2f-8a6b-4c5d6e7f8091',
        targetContact: 'ada@example.com',
      },
    ],
  },

  handle({ query: { actor, targetUser, request: requestId, ...query }, db, ...request }) {
    const more = { actorUserId: actor, targetUserId: targetUser, requestId };
    return auditAnswer<auditLog.NamedAuditEntry>(
      { ...request, query },
      {
        name: 'audit-log',
        columns: auditColumns,
        row: NamedAuditEntry,
        read: (filter) => auditLog.list(db, { ...filter, ...more }),
      },
    );
  },
});
