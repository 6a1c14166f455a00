import { z } from 'zod';
import * as auditLog from '../../../db/audit-log.ts';
import { route } from '../../http/route.ts';
import {
  AuditEntrySchema,
  AuditQuery,
  auditEntryExample,
  auditPage,
} from '../../resources/audit-entry.ts';

export const listTenantAuditLogs = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/audit-logs',
  access: 'TENANT_PROFILE_UPDATE',
  tag: 'Merchant',
  summary: 'List what was done in the tenant, newest first',
  description:
    'What its own people did, and what administrators and operators of the service did there. ' +
    'Filters narrow the list down together.',
  query: AuditQuery,
  response: z.array(AuditEntrySchema),
  examples: { response: [{ ...auditEntryExample, actorEmail: null }] },

  handle({ tenant, query, db }) {
    return auditPage(query, (filter) => auditLog.listOfTenant(db, tenant.id, filter));
  },
});
