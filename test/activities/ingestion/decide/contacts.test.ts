import { expect, it } from 'vitest';
import {
  fingerprintsOf,
  noteUnread,
  readContacts,
} from '../../../../activities/ingestion/decide/contacts.ts';
import type { PaymentReport } from '../../../../activities/ingestion/decide/payment-report.ts';
import type { TenantId } from '../../../../domain/ids.ts';
import { countStatements } from '../../../support/database/count-statements.ts';
import { aTenant, required, testPolicy } from '../../../support/factories.ts';
import { useDatabase } from '../../../support/fixtures.ts';
import { aSale } from '../../../support/points/a-sale.ts';

const { db } = await useDatabase();
const aReport = (
  tenantId: TenantId,
  named: { email?: string; phone?: string; providerCustomerId?: string },
): PaymentReport => ({
  tenantId,
  isResolved: true,
  payment: aSale({ locationId: 'L1', ...named }),
});
const contactsOf = async (report: PaymentReport) =>
  required((await db.transaction((tx) => readContacts(tx, [report]))).get(report));

it('takes no statement for e-mails, ids of customers and phones with a country code', async () => {
  const [swiss, nowhere] = [await aTenant(db, { country: 'CH' }), await aTenant(db)];
  const statements = (reports: PaymentReport[]) =>
    countStatements(db, async (tx) => noteUnread(tx, await readContacts(tx, reports)));
  const named = (tenantId: TenantId) => [
    aReport(tenantId, { email: 'ann@example.com' }),
    aReport(tenantId, { providerCustomerId: 'C1' }),
    aReport(tenantId, { phone: '+41 79 123 45 67' }),
  ];
  expect(await statements([...named(swiss), ...named(nowhere)])).toBe(0);
  const kept = await db('due_work').count();
  const national = { phone: '079 123 45 67' };
  await statements([...named(swiss), aReport(swiss, national), aReport(swiss, national)]);
  expect(await db('due_work').count()).toEqual(kept);
  await statements([aReport(nowhere, national), aReport(nowhere, national)]);
  expect(await db('due_work').where({ kind: 'match_phones' }).pluck('subject_id')).toEqual([
    nowhere,
  ]);
});

it('reads a phone in its country, and keeps of one without only the digits', async () => {
  const [swiss, nowhere] = [await aTenant(db, { country: 'CH' }), await aTenant(db)];
  const national = { phone: '079 123 45 67' };
  const read = await contactsOf(aReport(swiss, national));
  expect(read).toEqual({ email: null, phone: '+41791234567', unread: null });
  const unread = await contactsOf(aReport(nowhere, national));
  expect(unread).toEqual({ email: null, phone: null, unread: '0791234567' });
  expect(await contactsOf(aReport(swiss, { phone: '12' }))).toMatchObject({
    phone: null,
    unread: null,
  });
  expect(fingerprintsOf(unread, testPolicy)).toEqual({
    emailFingerprint: null,
    phoneFingerprint: testPolicy.fingerprints('national 0791234567')[0],
  });
});

it('compares an e-mail in the ASCII spelling of its domain', async () => {
  const { email } = await contactsOf(aReport(await aTenant(db), { email: ' Ann@München.de' }));
  expect(email).toBe('ann@xn--mnchen-3ya.de');
});
