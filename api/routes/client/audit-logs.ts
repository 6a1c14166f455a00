import { z } from 'zod';
import * as auditLog from '../../../db/audit-log.ts';
import { ABOUT_CSV } from '../../http/replies/table-answer.ts';
import { route } from '../../http/route.ts';
import {
  AuditEntrySchema,
  AuditQuery,
  auditAnswer,
  auditEntryExample,
} from '../../resources/audit-entry.ts';
import { historyColumns } from '../../resources/table-columns.ts';

export const listTenantAuditLogs = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/audit-logs',
  access: 'TENANT_PROFILE_UPDATE',
  csv: true,
  tag: 'Merchant',
  summary: 'List what was done in the tenant, newest first',
  description:
    'What its own people did, and what administrators and operators of the service did there. ' +
    `Filters narrow the list down together. ${ABOUT_CSV}`,
  query: AuditQuery,
  response: z.array(AuditEntrySchema),
  examples: { response: [{ ...auditEntryExample, actorEmail: null }] },

  handle({ tenant, db, ...request }) {
    return auditAnswer<auditLog.AuditEntry>(
      { ...request, tenant },
      {
        name: 'history',
        columns: historyColumns,
        row: AuditEntrySchema,
        read: (filter) => auditLog.listOfTenant(db, tenant.id, filter),
      },
    );
  },
});
