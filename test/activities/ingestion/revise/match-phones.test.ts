import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDueWorkActivities } from '../../../../activities/due-work/index.ts';
import { ingestListedPayments } from '../../../../activities/ingestion/decide/ingest-payments.ts';
import { matchPhones } from '../../../../activities/ingestion/revise/match-phones.ts';
import * as accounts from '../../../../db/connections/accounts.ts';
import * as dueWork from '../../../../db/due-work.ts';
import * as overview from '../../../../db/tenants/overview.ts';
import { ConnectionId, type TenantId } from '../../../../domain/ids.ts';
import type { NormalizedPayment } from '../../../../domain/payment.ts';
import { holdUpPayments } from '../../../support/database/gate.ts';
import {
  anAlphaConnection,
  aRule,
  aTenant,
  aUser,
  required,
  testPolicy,
} from '../../../support/factories.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { aSale, SOLD_AT } from '../../../support/points/a-sale.ts';
import { activityDeps } from '../../../support/temporal/activity-deps.ts';

const database = await useDatabase();
const { db } = database;
let tenantId: TenantId;
beforeEach(async () => {
  await db('users').update({ phone: null, phoneVerified: false });
  await db('due_work').delete();
  tenantId = await aTenant(db);
  await aRule(db, tenantId);
});

const sell = (some: Partial<NormalizedPayment>) =>
  ingestListedPayments(db, [{ tenantId, payment: aSale(some) }], testPolicy);
const setCountry = (country: string | null) =>
  db.transaction((tx) => overview.mergeOnboarding(tx, tenantId, { country }));
const { doDueWork } = createDueWorkActivities(activityDeps(db));
/** Does all that is due, also what that makes due. */
async function work(): Promise<void> {
  while (await dueWork.isAnyDue(db)) await doDueWork();
}
const waiting = () => db('due_work').where({ kind: 'match_phones' });
const balancesOf = (userId: string) => db('wallets').where({ tenantId, userId }).pluck('balance');

/** Connects the tenant to an account with these locations. */
async function connect(countries: Record<string, string | null>): Promise<ConnectionId> {
  await anAlphaConnection(db, { tenantId, merchantId: randomUUID() });
  const row = await db('pos_connections').where({ tenantId }).first('id');
  const id = ConnectionId.parse(row.id);
  await noteCountries(id, countries);
  return id;
}
const noteCountries = (id: ConnectionId, countries: Record<string, string | null>) =>
  accounts.noteCountries(
    db,
    id,
    Object.entries(countries).map(([location, country]) => ({ id: location, country })),
  );

describe('a phone without a country code', () => {
  it('is read by the country of its location, whatever that of the tenant', async () => {
    await setCountry('CH');
    await connect({ BERLIN: 'DE', BERN: 'CH', UNKNOWN: null });
    const german = await aUser(db, { phone: '+49791234567' });
    const swiss = await aUser(db, { phone: '+41791234567' });
    await sell({ phone: '0791 234567', locationId: 'BERLIN' });
    await sell({ phone: '0791 234567', locationId: 'BERLIN' });
    await sell({ phone: '0791 234567', locationId: 'BERN' });
    await sell({ phone: '0791 234567', locationId: 'UNKNOWN' });
    await sell({ phone: '0791 234567', provider: 'beta', locationId: 'BERLIN' });
    expect([await balancesOf(german), await balancesOf(swiss)]).toEqual([[200], [300]]);
    expect(await waiting()).toEqual([]);
  });

  it('is matched once its tenant’s country is known, also to who signed up before', async () => {
    const phone = '+14155552671';
    const user = await aUser(db, { phone });
    await aUser(db, { phone: '+41791234567' });
    await sell({ phone: '(415) 555-2671' });
    await sell({ phone: '1-415-555-2671' });
    await work();
    expect(await balancesOf(user)).toEqual([]);
    expect(await waiting()).toHaveLength(1);

    await setCountry('US');
    await work();
    expect(await balancesOf(user)).toEqual([200]);
    expect(await waiting()).toEqual([]);
  });

  it('is matched at sign-up after the country is known', async () => {
    await sell({ phone: '079 123 45 67' });
    await sell({ phone: '0041 79 123 45 67' });
    await setCountry('CH');
    await work();
    const user = await aUser(db, { phone: '+41791234567' });
    await work();
    expect(await balancesOf(user)).toEqual([200]);
  });

  it('is nobody’s in another country, where the same digits are another number', async () => {
    await sell({ phone: '079 123 45 67' });
    const swiss = await aUser(db, { phone: '+41791234567' });
    await setCountry('DE');
    await work();
    expect(await balancesOf(swiss)).toEqual([]);
    expect(await waiting()).toEqual([]);
  });

  it('is matched when its customer came late, before the country was known', async () => {
    const user = await aUser(db, { phone: '+14155552671' });
    const sale = aSale({});
    const later = {
      ...sale,
      changedAt: new Date(SOLD_AT.getTime() + 1_000),
      phone: '415 555 2671',
    };
    await ingestListedPayments(db, [{ tenantId, payment: sale }], testPolicy);
    await ingestListedPayments(db, [{ tenantId, payment: later }], testPolicy);
    await setCountry('US');
    await work();
    expect(await balancesOf(user)).toEqual([100]);
  });

  it('is matched once the country of its location is known, when its tenant has none', async () => {
    const user = await aUser(db, { phone: '+49791234567' });
    const id = await connect({});
    await sell({ phone: '0791 234567', locationId: 'BERLIN' });
    await sell({ phone: '0791 234567', locationId: 'ULM' });
    await work();
    await noteCountries(id, { BERLIN: 'DE' });
    await work();
    expect(await balancesOf(user)).toEqual([100]);
    await noteCountries(id, { ULM: 'DE' });
    await work();
    expect(await balancesOf(user)).toEqual([200]);
  });

  it('is matched when it was being stored while the country was set', async () => {
    const gate = await holdUpPayments(database, tenantId);
    // Decided by now, without a country, and not committed.
    const selling = sell({ phone: '(415) 555-2671' });
    await expect.poll(gate.countWaiting).toBe(1);
    await setCountry('US');
    const user = await aUser(db, { phone: '+14155552671' });
    await Promise.all([doDueWork(), gate.open(selling)]);
    await work();
    expect(await balancesOf(user)).toEqual([100]);
  });

  it('is matched once when it is compared twice at the same moment', async () => {
    const user = await aUser(db, { phone: '+14155552671' });
    await sell({ phone: '(415) 555-2671' });
    await setCountry('US');
    await Promise.all([work(), work(), work()]);
    await setCountry(null);
    await setCountry('US');
    await work();
    expect(await balancesOf(user)).toEqual([100]);
  });
});

describe('the comparison', () => {
  it('goes on where it was killed', async () => {
    await db.raw(
      `insert into users (iss, sub, role, status)
       select 'https://issuer.test', gen_random_uuid(), 'consumer', 'active'
       from generate_series(1, 2500)`,
    );
    await sell({ phone: '(415) 555-2671' });
    await setCountry('US');
    const { position } = required((await turn())[0]);
    expect(position).not.toBeNull();

    // The others are behind the position: only who goes on finds the last one in one more page.
    const [last] = await db('users').orderBy('id', 'desc').limit(1).pluck('id');
    await db('users').where('id', last).update({ phone: '+14155552671', phoneVerified: true });
    await db('due_work').where({ kind: 'match_signup' }).delete();
    const [after] = await turn();
    expect(after?.position > position).toBe(true);
    await work();
    expect(await balancesOf(last)).toEqual([100]);
    expect(await waiting()).toEqual([]);
  });
});

/** One page of the comparison by a worker that is then killed; returns what it leaves. */
async function turn() {
  const worker = matchPhones({ db, ingestPolicy: testPolicy });
  const [task] = await worker.prepare(await dueWork.take(db, 'match_phones', 1));
  expect(await task?.run(0)).toBe('again');
  await db('due_work').update({ takenUntil: null });
  return waiting();
}
