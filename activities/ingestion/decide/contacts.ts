import type { Tx } from '../../../db/connection.ts';
import * as dueWork from '../../../db/due-work.ts';
import { type KnownFacts, readFacts } from '../../../db/payments/facts.ts';
import { findPhoneRegions } from '../../../db/tenants/phone-regions.ts';
import type { KnownPayment } from '../../../domain/ingestion.ts';
import {
  inAscii,
  nationalDigits,
  normaliseEmail,
  normalisePhone,
} from '../../../domain/matching.ts';
import type { IngestPolicy } from './ingest-policy.ts';
import { keyOf, type PaymentReport } from './payment-report.ts';

/** The contacts of a payment as they are compared; null for one that is missing. */
export type Contacts = {
  email: string | null;
  phone: string | null;
  /** The digits of a phone without a country code, while no country is known. */
  unread: string | null;
};

/**
 * Reads the contacts of reports. Only a phone without a country code costs a look-up: of the
 * country of its location, or else of its tenant.
 */
export async function readContacts(
  tx: Tx,
  reports: readonly PaymentReport[],
): Promise<Map<PaymentReport, Contacts>> {
  const national = reports.filter(({ payment }) => nationalDigits(payment.phone) !== null);
  const places = national.map(({ tenantId, payment }) => ({ ...payment, tenantId }));
  const countries = places.length === 0 ? [] : await findPhoneRegions(tx, places);
  const countryOf = new Map(national.map((report, nth) => [report, countries[nth] ?? null]));
  return new Map(reports.map((report) => [report, contactsOf(report, countryOf.get(report))]));
}

/** `country` is absent where the phone needs none. */
function contactsOf({ payment }: PaymentReport, country: string | null | undefined): Contacts {
  const email = normaliseEmail(payment.email);
  return {
    email: email === null ? null : inAscii(email),
    phone: country === null ? null : normalisePhone(payment.phone, country),
    unread: country === null ? nationalDigits(payment.phone) : null,
  };
}

/** What the decision about a report depends on, its contacts included. */
export type NamedFacts = KnownFacts & { named: Contacts };

/** Reads what the decision about each of the reports depends on, in the same order. */
export async function readNamedFacts(
  tx: Tx,
  reports: readonly PaymentReport[],
  contacts: ReadonlyMap<PaymentReport, Contacts>,
): Promise<Map<PaymentReport, NamedFacts>> {
  const named = reports.map((report) => {
    const its = contacts.get(report);
    if (its === undefined) throw new Error('The contacts of a payment were not read.');
    return { report, its };
  });
  const queries = named.map(({ report, its }) => ({ ...keyOf(report), ...its }));
  const facts = await readFacts(tx, queries);
  return new Map(
    named.map(({ report, its }, nth) => {
      const known = facts[nth];
      if (known === undefined) throw new Error('A payment came back without its facts.');
      return [report, { ...known, named: its }];
    }),
  );
}

/**
 * Whether the report names the customer of the stored payment, late, by what is not known yet: by a
 * contact, by which a later sign-up can recognise them, or only as a customer of the provider, so
 * that the sale is no more one that named nobody.
 */
export function bringsContact(
  { payment }: PaymentReport,
  { email, phone, unread }: Contacts,
  known: KnownPayment,
): boolean {
  if (known.outcome !== 'stored_anonymous') return false;
  const { contacts } = known;
  if (payment.providerCustomerId !== null && !known.hasCustomer) return true;
  return (email !== null && !contacts.email) || ((phone ?? unread) !== null && !contacts.phone);
}

/**
 * Notes that phones were stored whose country is not known. It comes last in a transaction: of two
 * that note the same tenant first, one waits for the other.
 */
export async function noteUnread(
  tx: Tx,
  contacts: ReadonlyMap<PaymentReport, Contacts>,
): Promise<void> {
  const tenants = [...contacts].flatMap(([{ tenantId }, { unread }]) =>
    unread === null ? [] : tenantId,
  );
  if (tenants.length === 0) return;
  await dueWork.noteIfMissing(tx, 'match_phones', [...new Set(tenants)].sort());
}

/** Those of a payment that is not anonymous. */
export const NO_FINGERPRINTS = { emailFingerprint: null, phoneFingerprint: null };

/** The fingerprints by which an anonymous payment is found once its consumer signs up. */
export function fingerprintsOf({ email, phone, unread }: Contacts, policy: IngestPolicy) {
  const fingerprintOf = (contact: string | null) =>
    contact === null ? null : policy.fingerprints(contact)[0];
  return {
    emailFingerprint: fingerprintOf(email),
    phoneFingerprint: fingerprintOf(phone ?? (unread === null ? null : asWritten(unread))),
  };
}

/** The fingerprinted text of a phone whose country is not known: no contact begins like this. */
export function asWritten(digits: string): string {
  return `national ${digits}`;
}
