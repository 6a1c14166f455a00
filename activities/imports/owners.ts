import type { Db } from '../../db/connection.ts';
import type { StoredRow } from '../../db/imports/rows.ts';
import * as contacts from '../../db/users/contacts.ts';
import type { UserId } from '../../domain/ids.ts';
import type { IngestPolicy } from '../ingestion/decide/ingest-policy.ts';

/** A row, and who has verified its contact by now, if somebody has. */
export type OwnedRow = StoredRow & { owner: UserId | null };

/**
 * Finds who has verified the contacts of rows, of which only fingerprints are known: people whose
 * contacts these may be are given. Whoever verifies one later is matched then.
 */
export async function findRowOwners(
  db: Db,
  policy: Pick<IngestPolicy, 'fingerprints'>,
  { rows, people }: { rows: readonly StoredRow[]; people: readonly contacts.Contacts[] },
): Promise<OwnedRow[]> {
  const texts = new Map<string, { email: string | null; phone: string | null }>();
  for (const { email, phone } of people) {
    for (const hex of hexOf(email, policy)) texts.set(hex, { email, phone: null });
    for (const hex of hexOf(phone, policy)) texts.set(hex, { email: null, phone });
  }
  const named = rows.flatMap(({ id, fingerprint }) => {
    const text = texts.get(fingerprint);
    return text === undefined ? [] : { id, text };
  });
  const owners = await contacts.findOwners(
    db,
    named.map(({ text }) => text),
  );
  const ownerOf = new Map(named.map(({ id }, nth) => [id, owners[nth] ?? null]));
  return rows.map((row) => ({ ...row, owner: ownerOf.get(row.id) ?? null }));
}

function hexOf(contact: string | null, policy: Pick<IngestPolicy, 'fingerprints'>): string[] {
  if (contact === null) return [];
  return policy.fingerprints(contact).map((fingerprint) => fingerprint.toString('hex'));
}
