import type { Context } from 'koa';
import type { IssueCode } from '../../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { HttpRefusal, unavailable } from '../replies/errors.ts';
import type { Route } from '../route.ts';

/** Ends what `admit` allowed. To be called once the request is served, whatever its outcome. */
export type Leave = () => void;
/** A place of a request that is served: what it may still ask for, and its end. */
export type Place = {
  leave: Leave;
  /** Counts bytes of the body as they come. Throws the refusal of too many. */
  take(bytes: number): void;
};
/** Admits a request whose body is about to be read, or throws the refusal of one too many. */
export type Admit = (ctx: Pick<Context, 'get' | 'headers'>) => Place;

/** What a process holds at a time of webhooks, which it has to read before it can verify them. */
export const WEBHOOK_ROOM_BYTES = 32 * 1024 * 1024;
/**
 * What each may have without being counted: the number of connections bounds it, and callers who
 * fill the room with large ones keep no event of the usual size out.
 */
const SMALL_WEBHOOK_BYTES = 64 * 1024;
const RETRY_AFTER_SECONDS = 1;
/**
 * How many bodies of senders who prove nothing are waited for, however slowly they come: all else
 * such senders may send is a handshake, which a person can repeat.
 */
export const UNPROVEN_AT_ONCE = 20;

/** Statistics hold a connection to the database most of the time, of the few that there are. */
const STATISTICS_AT_ONCE = 2;
/** So many pages of exports are read at a time; an export holds nothing while it is taken. */
const PAGES_AT_ONCE = 2;
/** Each export has a page in memory. */
const EXPORTS_AT_ONCE = 50;
/** Each may hold a proof of some megabytes. */
const PERSONAL_AT_ONCE = 10;
const REPORT_AGAIN_SECONDS = 5;

const free: Place = { leave: () => undefined, take: () => undefined };

/**
 * Creates the admission to the routes of one process: so many requests at a time to a route that
 * says so, and so many bytes of large webhooks to all of them together, of those whose sender is
 * not known.
 */
export function createAdmission(webhookRoomBytes: number, deps: Deps): (route: Route) => Admit {
  const rooms = { webhooks: createRoom(webhookRoomBytes), unproven: createRoom(UNPROVEN_AT_ONCE) };
  return (route) => {
    if (route.access === 'signed-webhook') return (ctx) => admitWebhook(route, rooms, ctx, deps);
    if (route.atOnce === undefined) return () => free;
    const room = createRoom(route.atOnce);
    return () => ({ ...free, leave: room.take(1) ?? refuseOneTooMany() });
  };
}

/** The admission to reports: each holds the only place of its tenant or person until it leaves. */
export type ReportAdmission = {
  statistics(tenantId: string): Leave;
  export(tenantId: string): Leave;
  personal(userId: string): Leave;
  /** Makes the pieces of an export in turn with those of others. */
  inTurn(pieces: AsyncIterable<string>): AsyncGenerator<string>;
};

/**
 * Creates the admission to the reports of one process: one at a time for a tenant, and few in all.
 * Those of a person about themselves have places of their own. Refuses one too many with
 * RATE_LIMITED. Exports and statistics do not keep each other out, and an export that is taken
 * slowly keeps out nobody.
 */
export function createReportAdmission(): ReportAdmission {
  const tenants = new Set<string>();
  const pages = createTurns(PAGES_AT_ONCE);
  const ofTenants = (capacity: number) =>
    admitEach(tenants, createRoom(capacity), (isOwn) =>
      refuseReport(
        isOwn
          ? 'Another such report is being made for you or your shop. Wait until it is done.'
          : 'Too many reports are being made. Ask again shortly.',
      ),
    );
  return {
    statistics: ofTenants(STATISTICS_AT_ONCE),
    export: ofTenants(EXPORTS_AT_ONCE),
    personal: admitEach(new Set(), createRoom(PERSONAL_AT_ONCE), (isOwn) =>
      refuseExport(
        isOwn
          ? 'Your data is being exported already. Wait until that is done.'
          : 'Too many exports are being made. Ask again shortly.',
      ),
    ),
    async *inTurn(pieces) {
      const made = pieces[Symbol.asyncIterator]();
      try {
        for (;;) {
          const piece = await pages.run(() => made.next());
          if (piece.done) return;
          yield piece.value;
        }
      } finally {
        await made.return?.();
      }
    },
  };
}

/** Admits one at a time of each whose id is held, and as many in all as there is room for. */
function admitEach(held: Set<string>, room: Room, refuse: (isOwn: boolean) => never) {
  return (id: string): Leave => {
    if (held.has(id)) return refuse(true);
    const leave = room.take(1) ?? refuse(false);
    held.add(id);
    return () => {
      held.delete(id);
      leave();
    };
  };
}

/** Refuses an export of a person's data that would be one too many. */
export function refuseExport(message: string, againSeconds = REPORT_AGAIN_SECONDS): never {
  return refuseAnother('too_many_exports', message, againSeconds);
}

/** Refuses a report that would be one too many. */
export function refuseReport(message: string, againSeconds = REPORT_AGAIN_SECONDS): never {
  return refuseAnother('too_many_reports', message, againSeconds);
}

/** Refuses one more of what is limited, with when it may be tried again. */
export function refuseAnother(why: IssueCode, message: string, againSeconds: number): never {
  const headers = { 'Retry-After': String(againSeconds) };
  throw new HttpRefusal('RATE_LIMITED', message, 429, { headers, why });
}

function admitWebhook(
  { sender }: Route,
  { webhooks, unproven }: { webhooks: Room; unproven: Room },
  ctx: Pick<Context, 'get' | 'headers'>,
  deps: Deps,
): Place {
  const who = sender?.(ctx.headers, deps) ?? 'stranger';
  if (who === 'known') return free;
  if (who === 'stranger') return countedPlace(webhooks);
  const { atMost, refuse } = who;
  if (Number(ctx.get('content-length')) > atMost) refuse();
  const leave = unproven.take(1);
  if (leave === undefined) {
    throw unavailable('Too many events without a secret are arriving. Send it again shortly.');
  }
  let come = 0;
  return {
    leave,
    take(bytes) {
      come += bytes;
      if (come > atMost) refuse();
    },
  };
}

/** Whatever a body is announced to be, it takes what has come of it. */
function countedPlace(room: Room): Place {
  let come = 0;
  const taken: Leave[] = [];
  return {
    take(bytes) {
      const counted = Math.max(0, come + bytes - Math.max(come, SMALL_WEBHOOK_BYTES));
      come += bytes;
      if (counted === 0) return;
      const leave = room.take(counted);
      if (leave === undefined) {
        throw unavailable('Too many large events are arriving at once. Send it again shortly.');
      }
      taken.push(leave);
    },
    leave() {
      for (const leave of taken.splice(0)) leave();
    },
  };
}

function refuseOneTooMany(): never {
  throw new HttpRefusal(
    'RATE_LIMITED',
    'Too many such requests are being served. Send it again shortly.',
    429,
    { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
  );
}

type Room = {
  /** Reserves that many bytes until it is called back; undefined when they are not free. */
  take(amount: number): Leave | undefined;
};

function createRoom(capacity: number): Room {
  let taken = 0;
  return {
    take(amount) {
      if (taken + amount > capacity) return undefined;
      taken += amount;
      return () => {
        taken -= amount;
      };
    },
  };
}

/** Runs so many works at a time; the others wait, each for its turn. */
function createTurns(atOnce: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (running >= atOnce) await new Promise<void>((begin) => waiting.push(begin));
      else running++;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running--;
        else next();
      }
    },
  };
}
