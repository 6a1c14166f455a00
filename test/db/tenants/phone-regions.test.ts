import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import * as accounts from '../../../db/connections/accounts.ts';
import * as regions from '../../../db/tenants/phone-regions.ts';
import { ConnectionId } from '../../../domain/ids.ts';
import { anAlphaConnection, aTenant } from '../../support/factories.ts';
import { useDatabase } from '../../support/fixtures.ts';

const { db } = await useDatabase();

it('finds the country of each place in order, that of the location first', async () => {
  const [swiss, nowhere] = [await aTenant(db, { country: 'CH' }), await aTenant(db)];
  const account = { tenantId: swiss, merchantId: randomUUID() };
  await anAlphaConnection(db, account);
  const id = ConnectionId.parse((await db('pos_connections').where(account).first('id')).id);
  await accounts.noteCountries(db, id, [{ id: 'BERLIN', country: 'DE' }]);
  await accounts.record(db, { id, merchantId: account.merchantId }, { name: null, country: 'AT' });
  const place = { tenantId: swiss, provider: 'alpha', locationId: 'BERLIN' } as const;
  const find = () =>
    db.transaction((tx) =>
      regions.findPhoneRegions(tx, [
        { ...place, locationId: 'BERN' },
        place,
        { ...place, locationId: null },
        { ...place, provider: 'beta' },
        { ...place, tenantId: nowhere },
      ]),
    );
  expect(await find()).toEqual(['CH', 'DE', 'AT', 'CH', null]);
  expect(await regions.knownRegions(db, swiss)).toBe('all');
  expect(await regions.knownRegions(db, nowhere)).toBe('none');
  await db('tenants').where('id', swiss).update({ country: null });
  expect(await regions.knownRegions(db, swiss)).toBe('some');

  // Another account has other locations.
  await anAlphaConnection(db, account);
  expect((await find())[1]).toBe('DE');
  await anAlphaConnection(db, { ...account, merchantId: randomUUID() });
  expect(await find()).toEqual([null, null, null, null, null]);
});
