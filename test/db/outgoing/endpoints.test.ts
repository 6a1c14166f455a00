import { expect, it } from 'vitest';
import type { Db } from '../../../db/connection.ts';
import * as endpoints from '../../../db/outgoing/endpoints.ts';
import { aTenant } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const { db } = await useDatabase();

it('has events written for a tenant once all that had read otherwise has ended', async () => {
  const tenantId = await aTenant(db);
  const tellsIn = (tx: Db) => tx('tenants').where({ id: tenantId }).first('tellsEvents');
  const sale = await db.transaction();
  expect(await tellsIn(sale)).toEqual({ tellsEvents: false });
  let isTold = false;
  const telling = endpoints.tellFromNowOn(db, tenantId).then(() => {
    isTold = true;
  });
  await expect.poll(() => tellsIn(db)).toEqual({ tellsEvents: true });
  expect(isTold).toBe(false);
  await sale.commit();
  await telling;

  // Only the first endpoint waits.
  const other = await db.transaction();
  await tellsIn(other);
  await endpoints.tellFromNowOn(db, tenantId);
  await other.rollback();
});
