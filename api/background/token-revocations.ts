import type { Db } from '../../db/connection.ts';
import * as outbox from '../../db/connections/revocations.ts';
import type { ConnectionId } from '../../domain/ids.ts';
import type { ProviderClients } from '../../gateways/providers/index.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import { createBackgroundQueue } from './queue.ts';

export type Revocations = {
  /** Revokes the authorization of an account that was just disconnected, in the background. */
  revokeLater(connection: { id: ConnectionId }): void;
  /** Adds the revocations that are due to the queue: what a failure or a restart has left. */
  resume(): Promise<void>;
  /** How many revocations are waiting. */
  waiting(): number;
  close(): Promise<void>;
};

const MAX_IN_FLIGHT = 2;
const MAX_WAITING = 500;
const RESUME_EVERY_MS = 60_000;
const RESUMED = 20;

/**
 * Revokes the authorizations of disconnected accounts and then removes their tokens. What fails is
 * tried again, later each time, for seven days. Every process does so; each revocation is taken by
 * one of them.
 */
export function createRevocations(options: {
  db: Db;
  providers: ProviderClients;
  log: Logger;
}): Revocations {
  const { db, log } = options;
  const queue = createBackgroundQueue({ maxInFlight: MAX_IN_FLIGHT, maxWaiting: MAX_WAITING, log });
  const revokeTaken = (taken: readonly outbox.Revocable[]) => {
    for (const each of taken) queue.add(`revoke ${each.id}`, () => revoke(options, each));
  };
  const resume = async () => revokeTaken(await outbox.take(db, { limit: RESUMED }));
  const timer = setInterval(() => {
    // A task of the queue, so that an outage of Postgres is logged and ends nothing.
    queue.add('resume revocations', resume);
  }, RESUME_EVERY_MS);
  timer.unref();

  return {
    revokeLater: ({ id }) => {
      queue.add(`revoke ${id}`, async () => {
        for (const each of await outbox.take(db, { limit: 1, id })) await revoke(options, each);
      });
    },
    resume,
    waiting: () => queue.waiting(),
    async close() {
      clearInterval(timer);
      await queue.close();
    },
  };
}

async function revoke(
  { db, providers, log }: { db: Db; providers: ProviderClients; log: Logger },
  taken: outbox.Revocable,
): Promise<void> {
  const { id: connectionId, provider, merchantId } = taken;
  // Revoking ends all tokens of the account: also those of a tenant that has connected it since.
  if (taken.isUsed) return outbox.forgetTokens(db, taken);
  if (taken.isConnecting) {
    await outbox.postpone(db, taken);
    return;
  }
  try {
    await providers[provider].oauth.revoke?.({ merchantId });
  } catch (error) {
    const isGivenUp = await outbox.postpone(db, taken);
    log.warn(
      { event: 'token_revocation_failed', err: error, connectionId, isGivenUp },
      isGivenUp
        ? 'A disconnected account stays authorized at its provider; its tokens are removed'
        : 'A disconnected account keeps its token for now',
    );
    return;
  }
  await outbox.forgetTokens(db, taken);
}
