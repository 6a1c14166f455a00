import { z } from 'zod';
import * as auditLog from '../../../db/audit-log.ts';
import { UserId } from '../../../domain/ids.ts';
import { route } from '../../http/route.ts';
import {
  AuditEntrySchema,
  AuditQuery,
  auditEntryExample,
  auditPage,
} from '../../resources/audit-entry.ts';

export const listAuditLogs = route({
  method: 'GET',
  path: '/admin/audit-logs',
  access: 'ADMIN_AUDIT_LOGS_VIEW',
  tag: 'Admin',
  summary: 'List the audit log, newest first',
  description: 'Filters narrow the list down together.',
  query: AuditQuery.extend({
    actor: UserId.optional().describe('The id of the user who acted.'),
  }),
  response: z.array(AuditEntrySchema),
  examples: { response: [auditEntryExample] },

  handle({ query: { actor: actorUserId, ...query }, db }) {
    return auditPage(query, (filter) => auditLog.list(db, { ...filter, actorUserId }));
  },
});
