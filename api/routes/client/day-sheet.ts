import { route } from '../../http/route.ts';
import { DAY_SHEET, readDay } from '../pos/day-sheet.ts';

export const showShopDay = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/day',
  access: 'TENANT_ANALYTICS_VIEW',
  tag: 'Merchant',
  summary: 'Show what was done at the tills of the tenant on a day, by person',
  ...DAY_SHEET,
  handle: ({ tenant, query, db }) => readDay(db, tenant.id, query),
});
