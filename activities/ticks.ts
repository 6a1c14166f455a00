import type { Db } from '../db/connection.ts';
import * as availability from '../db/connections/availability.ts';
import * as dueWork from '../db/due-work.ts';
import * as dueEvents from '../db/events/due-events.ts';
import * as pointNotices from '../db/notices/points.ts';
import * as fanOut from '../db/outgoing/fan-out.ts';
import * as following from '../db/redemptions/following.ts';
import * as lifecycle from '../db/redemptions/lifecycle.ts';
import * as rehearsals from '../db/tenants/rehearsals.ts';
import * as inviteMails from '../db/users/invite-mails.ts';
import { PROVIDERS } from '../domain/payment.ts';
import { withinMs } from '../gateways/timing.ts';
import { prepareSweep } from './ingestion/index.ts';

/** A step of `reconcile`, as its logs and failures name it. */
export type Repair =
  | 'expire overdue codes'
  | 'start redemption runs'
  | 'start invite mails'
  | 'start rehearsals'
  | 'deliver events'
  | 'do due work';

/** What a sweep has to do, beyond its preparation. */
export type DueSweep = { events: boolean; probes: boolean };

/** Finds out at once whether a tick has anything to do: mostly it has not. */
export function createTickActivities({ db }: { db: Db }) {
  return {
    /**
     * Lists the repairs that have something due. One that cannot be looked at, or not within two
     * seconds, counts as due, so that it fails or waits by itself. Reads only.
     */
    async listDueRepairs(): Promise<Repair[]> {
      const looks = REPAIRS.map(({ isDue }) => withinMs(isDue(db), LOOK_WITHIN_MS));
      const due = await Promise.all(looks.map((look) => look.catch(() => true)));
      return REPAIRS.filter((_, nth) => due[nth]).map(({ repair }) => repair);
    },

    /**
     * Prepares a sweep, as `prepareSweep` does, and says what it then has to do. A second call
     * finds nothing to prepare.
     */
    async beginSweep(): Promise<DueSweep> {
      await prepareSweep(db);
      const [events, ...probes] = await Promise.all([
        dueEvents.isAnyDue(db),
        ...PROVIDERS.map((provider) => isAny(availability.listProbeable(db, provider, 1))),
      ]);
      return { events, probes: probes.includes(true) };
    },
  };
}

/** Looking takes a millisecond, unless something holds it up, which must not hold up the others. */
const LOOK_WITHIN_MS = 2_000;

const FIRST = { after: null, limit: 1 } as const;

const REPAIRS: readonly { repair: Repair; isDue: (db: Db) => Promise<boolean> }[] = [
  { repair: 'expire overdue codes', isDue: (db) => isAny(lifecycle.listOverdue(db, 1)) },
  { repair: 'start redemption runs', isDue: (db) => isAny(following.listUnfollowed(db, FIRST)) },
  { repair: 'start invite mails', isDue: (db) => isAny(inviteMails.listOverdue(db, FIRST)) },
  { repair: 'start rehearsals', isDue: (db) => isAny(rehearsals.listOverdue(db, FIRST)) },
  { repair: 'deliver events', isDue: (db) => isAny(fanOut.listDueTenants(db, FIRST)) },
  { repair: 'do due work', isDue: isWorkDue },
];

/** Points that came make work due once they are looked at, which is done before other work. */
async function isWorkDue(db: Db): Promise<boolean> {
  return (await dueWork.isAnyDue(db)) || (await pointNotices.hasNews(db));
}

async function isAny(listing: Promise<readonly unknown[]>): Promise<boolean> {
  return (await listing).length > 0;
}
