import type { PaymentId } from '../../domain/ids.ts';
import type { Tx } from '../connection.ts';

/** By what a payment's customer is named, contacts by their fingerprints; null where it is not. */
export type PaymentContacts = {
  paymentId: PaymentId;
  providerCustomerId: string | null;
  emailFingerprint: Buffer | null;
  phoneFingerprint: Buffer | null;
};

/**
 * Records by which contacts a sign-up recognises the consumers of locked payments, and which
 * customers of the provider they are. Those that a payment has already stay, and one that is no
 * longer anonymous gets none.
 */
export async function recordContacts(tx: Tx, contacts: readonly PaymentContacts[]): Promise<void> {
  if (contacts.length === 0) return;
  await tx.raw(
    `with brought as (
       select distinct on (id) * from unnest(
         :ids::uuid[], :emails::bytea[], :phones::bytea[], :customers::text[]
       ) with ordinality as c(id, email, phone, customer, nth)
       order by id, nth
     )
     update payments p
     set email_fingerprint = coalesce(p.email_fingerprint, b.email),
       phone_fingerprint = coalesce(p.phone_fingerprint, b.phone),
       provider_customer_id = coalesce(p.provider_customer_id, b.customer)
     from brought b
     where p.id = any(:ids::uuid[]) and p.id = b.id and p.outcome = 'stored_anonymous'`,
    {
      ids: contacts.map(({ paymentId }) => paymentId),
      emails: contacts.map(({ emailFingerprint }) => emailFingerprint),
      phones: contacts.map(({ phoneFingerprint }) => phoneFingerprint),
      customers: contacts.map(({ providerCustomerId }) => providerCustomerId),
    },
  );
}
