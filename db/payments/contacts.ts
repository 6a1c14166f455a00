import type { PaymentId } from '../../domain/ids.ts';
import type { Tx } from '../connection.ts';

/** The fingerprints of contacts that a payment's customer has; null for one that is missing. */
export type PaymentContacts = {
  paymentId: PaymentId;
  emailFingerprint: Buffer | null;
  phoneFingerprint: Buffer | null;
};

/**
 * Records by which contacts a sign-up recognises the consumers of locked payments. Those that a
 * payment has already stay, and one that is no longer anonymous gets none.
 */
export async function recordContacts(tx: Tx, contacts: readonly PaymentContacts[]): Promise<void> {
  if (contacts.length === 0) return;
  await tx.raw(
    `with brought as (
       select distinct on (id) * from unnest(:ids::uuid[], :emails::bytea[], :phones::bytea[])
         with ordinality as c(id, email, phone, nth)
       order by id, nth
     )
     update payments p
     set email_fingerprint = coalesce(p.email_fingerprint, b.email),
       phone_fingerprint = coalesce(p.phone_fingerprint, b.phone)
     from brought b
     where p.id = any(:ids::uuid[]) and p.id = b.id and p.outcome = 'stored_anonymous'`,
    {
      ids: contacts.map(({ paymentId }) => paymentId),
      emails: contacts.map(({ emailFingerprint }) => emailFingerprint),
      phones: contacts.map(({ phoneFingerprint }) => phoneFingerprint),
    },
  );
}
