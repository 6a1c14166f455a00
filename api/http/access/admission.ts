import type { Context } from 'koa';
import { WEBHOOK_LIMIT_BYTES } from '../middleware/body.ts';
import { HttpRefusal, unavailable } from '../replies/errors.ts';
import type { Route } from '../route.ts';

/** Ends what `admit` allowed. To be called once the request is served, whatever its outcome. */
export type Leave = () => void;
/** Admits a request whose body is about to be read, or throws the refusal of one too many. */
export type Admit = (ctx: Pick<Context, 'get'>) => Leave;

/** What a process holds at a time of webhooks, which it has to read before it can verify them. */
export const WEBHOOK_ROOM_BYTES = 32 * 1024 * 1024;
/**
 * Smaller ones are not counted: the number of connections bounds them, and callers who fill the
 * room with large ones, byte by byte, keep no event of the usual size out.
 */
const SMALL_WEBHOOK_BYTES = 64 * 1024;
const RETRY_AFTER_SECONDS = 1;

/** Each report holds a connection to the database most of the time, of the few that there are. */
const REPORTS_AT_ONCE = 2;
const REPORT_AGAIN_SECONDS = 5;

const free: Leave = () => undefined;

/**
 * Creates the admission to the routes of one process: so many requests at a time to a route that
 * says so, and so many bytes of large webhooks to all of them together.
 */
export function createAdmission(webhookRoomBytes: number): (route: Route) => Admit {
  const webhooks = createRoom(webhookRoomBytes);
  return (route) => {
    if (route.access === 'signed-webhook') return (ctx) => admitWebhook(webhooks, ctx);
    if (route.atOnce === undefined) return () => free;
    const room = createRoom(route.atOnce);
    return () => room.take(1) ?? refuseOneTooMany();
  };
}

/**
 * Creates the admission to the reports of one process: one at a time for a tenant, and few in all.
 * Refuses one too many with RATE_LIMITED.
 */
export function createReportAdmission(): (tenantId: string) => Leave {
  const all = createRoom(REPORTS_AT_ONCE);
  const tenants = new Set<string>();
  return (tenantId) => {
    if (tenants.has(tenantId)) {
      return refuseReport('Another report of this merchant is being made. Wait until it is done.');
    }
    const leave = all.take(1);
    if (leave === undefined) {
      return refuseReport('Too many reports are being made. Ask again shortly.');
    }
    tenants.add(tenantId);
    return () => {
      tenants.delete(tenantId);
      leave();
    };
  };
}

function refuseReport(message: string): never {
  throw new HttpRefusal('RATE_LIMITED', message, 429, {
    headers: { 'Retry-After': String(REPORT_AGAIN_SECONDS) },
    why: 'too_many_reports',
  });
}

function admitWebhook(room: Room, ctx: Pick<Context, 'get'>): Leave {
  const bytes = announcedBytes(ctx);
  if (bytes <= SMALL_WEBHOOK_BYTES) return free;
  const leave = room.take(Math.min(bytes, WEBHOOK_LIMIT_BYTES));
  if (leave === undefined)
    throw unavailable('Too many large events are arriving at once. Send it again shortly.');
  return leave;
}

/** A body sent in chunks may be of any size. */
function announcedBytes(ctx: Pick<Context, 'get'>): number {
  if (ctx.get('transfer-encoding') !== '') return WEBHOOK_LIMIT_BYTES;
  return Number(ctx.get('content-length') || 0);
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
