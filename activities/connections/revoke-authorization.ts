import type { Db } from '../../db/connection.ts';
import * as revocations from '../../db/connections/revocations.ts';
import type { ProviderClients } from '../../gateways/providers/index.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import type { DueWorker, Outcome } from '../due-work/worker.ts';

export type RevocationDeps = { db: Db; providers: ProviderClients; log: Pick<Logger, 'warn'> };

/**
 * Revokes the authorizations of accounts that tenants have left. What fails is tried again, later
 * each time, for seven days.
 */
export function revokeAuthorization(deps: RevocationDeps): DueWorker<'revoke_authorization'> {
  return {
    kind: 'revoke_authorization',
    // All at once: a merchant who connects waits for one that was taken.
    batch: 5,
    atOnce: 5,
    backOff: { firstSeconds: 60, longestSeconds: 6 * 3_600 },
    async prepare(items) {
      const ids = items.map(({ id }) => id);
      const left = await revocations.find(deps.db, ids);
      return items.flatMap((item) => {
        const accounts = left.filter(({ id }) => id === item.id);
        return accounts.length === 0 ? [] : { item, run: () => revokeAll(deps, accounts) };
      });
    },
  };
}

/** At once, since each counts as under way for as long as one call takes. */
async function revokeAll(
  deps: RevocationDeps,
  accounts: readonly revocations.Revocable[],
): Promise<Outcome> {
  const outcomes = await Promise.all(accounts.map((account) => revoke(deps, account)));
  return outcomes.includes('later') ? 'later' : 'done';
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
        ? 'An account that was left stays authorized at its provider'
        : 'An account that was left stays authorized at its provider for now';
      log.warn({ event: 'token_revocation_failed', err, connectionId, isGivenUp }, message);
      if (!isGivenUp) return 'later';
    }
  }
  await revocations.settle(db, account);
  return 'done';
}
