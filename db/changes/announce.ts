import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../connection.ts';
import { CHANNEL, type Changed, namesOf, payloadsOf } from './payload.ts';

/** What is announced by a process while its pool of connections is open. */
type Announcer = {
  waiting: Set<string>;
  isSending: boolean;
  /** How many ids were not announced, because the database was away or too many waited. */
  lost: number;
};

/** While a statement is sent and for this long after it, what changes gathers for the next one. */
const GATHER_MS = 20;
/** How many ids one statement announces: ten payloads at most. */
const MAX_AT_ONCE = 2_000;
/** Beyond this, what changes is not announced: the open streams read it again by themselves. */
const MAX_WAITING = 20_000;

const announcers = new WeakMap<Db, Announcer>();

/**
 * Announces to the streams of every API process, in the background, whose wallets or redemptions a
 * committed transaction has changed, in which shops codes were used, and who may have lost access.
 * Never throws, and what it announces may be lost: streams read again by themselves.
 *
 * To be called after the commit, with the pool: a NOTIFY inside a transaction takes a lock at its
 * commit that the whole cluster shares. Called with a transaction, it does nothing. What changes at
 * about the same time is announced together, in one statement.
 */
export function announce(db: Db, changed: Partial<Changed>): void {
  if (db.isTransaction) return;
  const announcer = announcerOf(db);
  const { userIds = [], shopIds = [], accessOf = [] } = changed;
  for (const name of namesOf({ userIds, shopIds, accessOf })) {
    if (announcer.waiting.size < MAX_WAITING) announcer.waiting.add(name);
    else announcer.lost++;
  }
  if (!announcer.isSending && announcer.waiting.size > 0) void send(db, announcer);
}

/** Returns how many ids a pool's process could not announce so far. */
export function lostAnnouncements(db: Db): number {
  return announcers.get(db)?.lost ?? 0;
}

function announcerOf(db: Db): Announcer {
  const known = announcers.get(db);
  if (known !== undefined) return known;
  const made = { waiting: new Set<string>(), isSending: false, lost: 0 };
  announcers.set(db, made);
  return made;
}

async function send(db: Db, announcer: Announcer): Promise<void> {
  announcer.isSending = true;
  // What the caller announces next is sent with it.
  await setImmediate();
  while (announcer.waiting.size > 0) {
    const names = [...announcer.waiting].slice(0, MAX_AT_ONCE);
    for (const name of names) announcer.waiting.delete(name);
    try {
      await notify(db, payloadsOf(names));
    } catch {
      announcer.lost += names.length;
    }
    await sleep(GATHER_MS, undefined, { ref: false });
  }
  announcer.isSending = false;
}

async function notify(db: Db, payloads: string[]): Promise<void> {
  await db.raw(
    'select pg_notify(:channel, payload) from unnest(:payloads::text[]) as sent(payload)',
    { channel: CHANNEL, payloads },
  );
}
