import type { Db } from '../../db/connection.ts';
import * as posConnections from '../../db/connections/pos-connections.ts';
import type { Sealer } from '../../gateways/crypto/sealer.ts';
import type { OAuthByProvider } from '../../gateways/provider/oauth.ts';
import type { Logger } from '../../gateways/telemetry/logger.ts';
import { createBackgroundQueue } from './queue.ts';

export type Revocations = {
  /**
   * Gives a disconnected account back to its provider, in the background and as far as it goes: its
   * merchant can take it back there as well.
   */
  revokeLater(connection: posConnections.PosConnection): void;
  /** How many accounts wait for it. */
  waiting(): number;
  close(): Promise<void>;
};

const MAX_IN_FLIGHT = 2;
const MAX_WAITING = 500;

/** Revokes one after another what is no longer connected. */
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
      // All of the account's tokens end: those of whoever has connected it since must not.
      if (await posConnections.isMerchantActive(db, connection)) return;
      const context = { tenantId, provider, field: 'access_token' };
      const accessToken = tokenSealer.open(sealedAccessToken, context);
      await oauth[provider].revoke({ accessToken, merchantId });
    } catch (error) {
      log.warn(
        { err: error, connectionId: connection.id },
        'A disconnected account keeps its token',
      );
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
