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
import { keysOf } from '../domain/keys-of.ts';
import { PROVIDERS } from '../domain/payment.ts';
import { withinMs } from '../gateways/timing.ts';
import { prepareSweep } from './ingestion/index.ts';

/** A step of `reconcile`, as its logs and failures name it. */
export type Repair = keyof typeof REPAIRS;

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
      const looks = ALL_REPAIRS.map((repair) => withinMs(REPAIRS[repair](db), LOOK_WITHIN_MS));
      const due = await Promise.all(looks.map((look) => look.catch(() => true)));
      return ALL_REPAIRS.filter((_, nth) => due[nth]);
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

/** Each repair, and whether it has something due. `reconcile` has a step for each of them. */
const REPAIRS = {
  'expire overdue codes': (db: Db) => isAny(lifecycle.listOverdue(db, 1)),
  'start redemption runs': (db: Db) => isAny(following.listUnfollowed(db, FIRST)),
  'start invite mails': (db: Db) => isAny(inviteMails.listOverdue(db, FIRST)),
  'start rehearsals': (db: Db) => isAny(rehearsals.listOverdue(db, FIRST)),
  'deliver events': (db: Db) => isAny(fanOut.listDueTenants(db, FIRST)),
  'do due work': isWorkDue,
} as const;

const ALL_REPAIRS = keysOf(REPAIRS);

/** Points that came make work due once they are looked at, which is done before other work. */
async function isWorkDue(db: Db): Promise<boolean> {
  return (await dueWork.isAnyDue(db)) || (await pointNotices.hasNews(db));
}

async function isAny(listing: Promise<readonly unknown[]>): Promise<boolean> {
  return (await listing).length > 0;
}
