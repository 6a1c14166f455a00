import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { DatabasePlace } from '../../domain/installation.ts';
import { createLogin, type Login } from '../login.ts';
import { CHANNEL, type Changed, readPayload } from './payload.ts';

export type ChangeListener = {
  isConnected(): boolean;
  /** Ends the session, and resolves when it is closed or does not close within a second. */
  close(): Promise<void>;
};

type Listening = {
  /** The server itself: a pooler that changes sessions between transactions hears nothing. */
  at: DatabasePlace;
  onChanged(changed: Changed): void;
  /** Called when the session hears from now on; what was sent before may have been missed. */
  onConnected(): void;
  /** Called when the session was lost or could not be opened. It is tried again. */
  onLost(error: unknown): void;
};

const CONNECT_WITHIN_MS = 5_000;
/** A session whose server is gone without a word is noticed by a statement that is not answered. */
const PING_EVERY_MS = 30_000;
const PING_WITHIN_MS = 10_000;
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 30_000;
const CLOSE_WITHIN_MS = 1_000;

/**
 * Listens for what `announce` sends, in a single session of its own, until it is closed. A session
 * that is lost is opened again, after a wait that doubles with each failure, up to 30 seconds.
 */
export function listenForChanges(options: Listening): ChangeListener {
  const login = createLogin(options.at);
  const closing = new AbortController();
  let isConnected = false;
  const run = async () => {
    for (let failures = 0; !closing.signal.aborted; failures++) {
      try {
        await listen(login, closing.signal, {
          ...options,
          onConnected() {
            failures = 0;
            isConnected = true;
            options.onConnected();
          },
        });
      } catch (error) {
        isConnected = false;
        if (!closing.signal.aborted) options.onLost(error);
      }
      await sleep(waitAfter(failures), undefined, { signal: closing.signal, ref: false }).catch(
        () => undefined,
      );
    }
  };
  const running = run();
  return {
    isConnected: () => isConnected,
    async close() {
      closing.abort(new Error('The listener was closed.'));
      await running;
    },
  };
}

/** Several processes that lost the same server do not come back at the same moment. */
function waitAfter(failures: number): number {
  const longest = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures, 10), LONGEST_RETRY_MS);
  return longest * (0.5 + Math.random() / 2);
}

/** Listens in one session; rejects when it is lost or the signal aborts. */
function listen(
  login: Login,
  signal: AbortSignal,
  heard: Pick<Listening, 'onChanged' | 'onConnected'>,
): Promise<void> {
  return login.open((url) => listenAt(url, signal, heard));
}

async function listenAt(
  url: string,
  signal: AbortSignal,
  { onChanged, onConnected }: Pick<Listening, 'onChanged' | 'onConnected'>,
): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'loyalty-api-listener',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: PING_WITHIN_MS,
    keepAlive: true,
  });
  const done = new AbortController();
  const lost = new Promise<never>((_, lose) => {
    client.on('error', lose);
    client.on('end', () => lose(new Error('The server closed the session of the listener.')));
    const abort = () => lose(signal.reason);
    signal.addEventListener('abort', abort, { once: true, signal: done.signal });
  });
  // The session may be lost while nothing waits for it.
  lost.catch(() => undefined);
  client.on('notification', ({ payload = '' }) => onChanged(readPayload(payload)));
  try {
    await Promise.race([client.connect(), lost]);
    await Promise.race([client.query(`listen ${CHANNEL}`), lost]);
    onConnected();
    await Promise.race([pingForever(client), lost]);
  } finally {
    done.abort();
    const ended = client.end().catch(() => undefined);
    await Promise.race([ended, sleep(CLOSE_WITHIN_MS, undefined, { ref: false })]);
  }
}

/** Rejects when the server does not answer any more, also because the session has ended. */
async function pingForever(client: pg.Client): Promise<never> {
  for (;;) {
    await sleep(PING_EVERY_MS, undefined, { ref: false });
    await client.query('select 1');
  }
}
