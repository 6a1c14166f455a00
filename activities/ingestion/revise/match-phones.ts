import type { Db } from '../../../db/connection.ts';
import * as dueWork from '../../../db/due-work.ts';
import { untilReadersEnd } from '../../../db/open-transactions.ts';
import { knownRegions } from '../../../db/tenants/phone-regions.ts';
import * as contacts from '../../../db/users/contacts.ts';
import { UserId } from '../../../domain/ids.ts';
import type { DueWorker, Outcome } from '../../due-work/worker.ts';
import { continues } from '../../progress.ts';
import { awaited, type SignupMatchingDeps } from './signups.ts';

/** A page of users takes about a tenth of a second, of which most are fingerprints. */
const PAGE = 1_000;
/** A payment takes far less to be decided and stored, unless something holds it up. */
const PATIENCE_MS = 5_000;

/**
 * Compares phones that were stored while their country was not known with those of all users, once
 * it is, page by page, and has each user matched for whom such a payment waits. A payment that was
 * being stored meanwhile is waited for. Killed, it goes on where it was; run twice, or at once, it
 * has the same users matched, which credits each payment once.
 */
export function matchPhones(
  deps: Pick<SignupMatchingDeps, 'db' | 'ingestPolicy'>,
): DueWorker<'match_phones'> {
  const { db } = deps;
  return {
    kind: 'match_phones',
    batch: 20,
    atOnce: 1,
    // It waits until a country is set, which makes it due at once.
    backOff: { firstSeconds: 3_600, longestSeconds: 6 * 3_600 },
    async prepare(items) {
      // A transaction that began earlier may still store a phone, because it saw no country.
      const isStored = await untilReadersEnd(db, 'tenants', PATIENCE_MS);
      return items.map((item) => ({
        item,
        run: async (until) => (isStored ? comparePhones(deps, item, until) : 'again'),
      }));
    },
  };
}

async function comparePhones(
  deps: Pick<SignupMatchingDeps, 'db' | 'ingestPolicy'>,
  item: dueWork.DueItem<'match_phones'>,
  until: number,
): Promise<Outcome> {
  const { db } = deps;
  if ((await knownRegions(db, item.id)) === 'none') return 'later';
  let after = UserId.nullable().parse(item.position);
  for (;;) {
    continues();
    const page = await contacts.listPhones(db, { after, limit: PAGE });
    await matchLater(deps, page);
    after = page.at(-1)?.id ?? null;
    if (page.length < PAGE) break;
    await dueWork.keepPosition(db, 'match_phones', { ...item, position: after });
    if (performance.now() > until) return 'again';
  }
  if ((await knownRegions(db, item.id)) === 'all') return 'done';
  await dueWork.keepPosition(db, 'match_phones', { ...item, position: null });
  return 'later';
}

async function matchLater(
  deps: { db: Db } & Pick<SignupMatchingDeps, 'ingestPolicy'>,
  page: readonly contacts.Contacts[],
): Promise<void> {
  const withPhone = page.filter(({ phone }) => phone !== null);
  const found = await awaited(deps, withPhone);
  if (found.length > 0) {
    await dueWork.note(
      deps.db,
      'match_signup',
      found.map(({ id }) => id),
    );
  }
}
