import type { Db } from '../../db/connection.ts';
import * as revocations from '../../db/connections/revocations.ts';
import type { ProviderClients } from '../../gateways/providers/index.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import { type DueWorker, type Outcome, tasksOf } from '../due-work/worker.ts';

export type RevocationDeps = { db: Db; providers: ProviderClients; log: Pick<Logger, 'warn'> };

/**
 * Revokes the authorizations of disconnected accounts and then removes their tokens. What fails is
 * tried again, later each time, for seven days.
 */
export function revokeAuthorization(deps: RevocationDeps): DueWorker<'revoke_authorization'> {
  return {
    kind: 'revoke_authorization',
    // All at once: a merchant who connects waits for one that was taken.
    batch: 5,
    atOnce: 5,
    backOff: { firstSeconds: 60, longestSeconds: 6 * 3_600 },
    prepare: (items) =>
      tasksOf(
        items,
        (ids) => revocations.find(deps.db, ids),
        (account) => revoke(deps, account),
      ),
  };
}

async function revoke(
  { db, providers, log }: RevocationDeps,
  account: revocations.Revocable,
): Promise<Outcome> {
  const { id: connectionId, provider, merchantId, isGivenUp } = account;
  // Revoking ends all tokens of the account: also those of a tenant that has connected it since.
  if (!account.isUsed) {
    if (account.isConnecting) return 'later';
    try {
      await providers[provider].oauth.revoke?.({ merchantId });
    } catch (err) {
      const message = isGivenUp
        ? 'A disconnected account stays authorized at its provider; its tokens are removed'
        : 'A disconnected account keeps its token for now';
      log.warn({ event: 'token_revocation_failed', err, connectionId, isGivenUp }, message);
      if (!isGivenUp) return 'later';
    }
  }
  await revocations.forgetTokens(db, account);
  return 'done';
}
