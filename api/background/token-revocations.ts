import type { Db } from '../../db/connection.ts';
import * as posConnections from '../../db/connections/pos-connections.ts';
import type { Sealer } from '../../gateways/crypto/sealer.ts';
import type { OAuthByProvider } from '../../gateways/provider/oauth.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import { createBackgroundQueue } from './queue.ts';

export type Revocations = {
  /**
   * Revokes the token of a disconnected account at its provider, in the background and without a
   * retry: the merchant can revoke it there as well.
   */
  revokeLater(connection: posConnections.PosConnection): void;
  /** How many revocations are waiting. */
  waiting(): number;
  close(): Promise<void>;
};

const MAX_IN_FLIGHT = 2;
const MAX_WAITING = 500;

/** Creates a queue that revokes the tokens of disconnected accounts. */
export function createRevocations(options: {
  db: Db;
  tokenSealer: Sealer;
  oauth: OAuthByProvider;
  log: Logger;
}): Revocations {
  const { db, tokenSealer, oauth, log } = options;
  const queue = createBackgroundQueue({ maxInFlight: MAX_IN_FLIGHT, maxWaiting: MAX_WAITING, log });

  const revoke = async (connection: posConnections.PosConnection) => {
    const { tenantId, provider, merchantId, sealedAccessToken } = connection;
    try {
      // Revoking ends all tokens of the account, also those of a tenant that connected it later.
      if (await posConnections.isMerchantActive(db, connection)) return;
      const context = { tenantId, provider, field: 'access_token' };
      const accessToken = tokenSealer.open(sealedAccessToken, context);
      await oauth[provider].revoke({ accessToken, merchantId });
    } catch (error) {
      const event = 'token_revocation_failed';
      const { id: connectionId } = connection;
      log.warn({ event, err: error, connectionId }, 'A disconnected account keeps its token');
    }
  };

  return {
    revokeLater: (connection) => {
      queue.add(`revoke ${connection.id}`, () => revoke(connection));
    },
    waiting: () => queue.waiting(),
    close: () => queue.close(),
  };
}
