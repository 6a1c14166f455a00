import { announce } from '../../db/changes/announce.ts';
import type { Tx } from '../../db/connection.ts';
import { isDatabaseUnreachable, isLockTimeout } from '../../db/errors.ts';
import * as imports from '../../db/imports/imports.ts';
import * as waiting from '../../db/imports/waiting.ts';
import { limitLockWaits } from '../../db/lock-waits.ts';
import type { Contacts } from '../../db/users/contacts.ts';
import type { TenantId } from '../../domain/ids.ts';
import type { Outcome } from '../due-work/worker.ts';
import { continues } from '../progress.ts';
import { bringOver, type Moved } from './bring-over.ts';
import { findRowOwners } from './owners.ts';
import type { ImportDeps } from './run-import.ts';

/**
 * Credits a person with the rows of imports that wait for one of their contacts, and names them in
 * the rows of drafts. Each row is a transaction of its own: run again, or at once, also beside the
 * run of its import, it is credited once. A failure holds up the rows of no other shop, and is
 * thrown at the end.
 */
export async function matchRows(
  deps: Pick<ImportDeps, 'db' | 'ingestPolicy'>,
  person: Contacts,
  until: number,
): Promise<Outcome> {
  const { db, ingestPolicy } = deps;
  const fingerprints = [person.email, person.phone].flatMap((contact) =>
    contact === null ? [] : [...ingestPolicy.fingerprints(contact)],
  );
  const failures: unknown[] = [];
  // Of several rows of a shop the first counts, so that those after it wait for it.
  const left = new Set<TenantId>();
  let outcome: Outcome = 'done';
  for (const row of await waiting.listByContact(db, fingerprints)) {
    continues();
    if (performance.now() > until) {
      outcome = 'again';
      break;
    }
    if (left.has(row.tenantId)) continue;
    try {
      const moved = await db.transaction((tx) => matchRow(tx, deps, { row, person }));
      announce(db, { userIds: moved?.userIds ?? [] });
    } catch (error) {
      if (isDatabaseUnreachable(error)) throw error;
      left.add(row.tenantId);
      if (isLockTimeout(error)) outcome = 'later';
      else failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return outcome;
}

async function matchRow(
  tx: Tx,
  { ingestPolicy }: Pick<ImportDeps, 'ingestPolicy'>,
  { row, person }: { row: { id: string; tenantId: TenantId }; person: Contacts },
): Promise<Moved | undefined> {
  await imports.lockShop(tx, row.tenantId);
  await limitLockWaits(tx);
  const locked = await waiting.lockUndecided(tx, row);
  if (locked === undefined) return undefined;
  const owned = await findRowOwners(tx, ingestPolicy, { rows: [locked], people: [person] });
  const owner = owned[0]?.owner ?? null;
  if (owner === null) return undefined;
  if (locked.state === null) {
    await waiting.nameOwner(tx, locked.id, owner);
    return undefined;
  }
  const of = { id: locked.importId, tenantId: locked.tenantId };
  const acting = await imports.findActing(tx, of, 'approve');
  return bringOver(tx, { ...of, acting }, { rows: owned, leavesHeld: false });
}
