import { callbackPath } from '../../../domain/provider-paths.ts';
import type { OpenContext, PosProvider, ProviderClient } from '../provider.ts';
import { AccountCurrency } from '../shared/account.ts';
import type { ProviderOAuth } from '../shared/oauth.ts';
import { type Beta, betaOrigins, createBeta } from './client.ts';
import { fetchBetaReports } from './fetch-payments.ts';
import { findBetaPayment, listBetaCreated } from './list-created.ts';
import { AUTHORIZATION_PATH, createBetaOAuth } from './oauth.ts';
import { BetaSettings, BetaWebhookSettings } from './settings.ts';
import {
  HandshakeAnswer,
  readBetaDelivery,
  readBetaEvent,
  senderToBeta,
  verifyBeta,
} from './webhook.ts';
import { LISTED_PAYMENT, listedPaymentBody } from './webhooks.ts';

/** The stand-in name of Clover. */
export const beta: PosProvider<typeof BetaSettings, typeof BetaWebhookSettings> = {
  label: 'Beta',
  settings: BetaSettings,
  settingNames: {
    environment: 'BETA_ENVIRONMENT',
    overrides: ['BETA_WEB_ORIGIN', 'BETA_API_ORIGIN'],
    appId: 'BETA_APP_ID',
    appSecret: 'BETA_APP_SECRET',
    webhookKey: 'BETA_WEBHOOK_SECRET',
  },
  oauth: {
    identifies: 'callback',
    authorizationPath: AUTHORIZATION_PATH,
    doTokensExpire: false,
  },
  webhook: {
    settings: BetaWebhookSettings,
    security: {
      header: 'X-Beta-Auth',
      description: 'The secret that beta and the service share.',
    },
    description:
      'The shared secret is sent in `X-Beta-Auth` or `Authorization`. The event is stored, then ' +
      'acknowledged, then ingested. It may be sent any number of times. A body with nothing but ' +
      '`verificationCode`, which beta sends to verify the address, gets that code as the response.',
    isSentOnce: true,
    sender: senderToBeta,
    handshake: HandshakeAnswer,
    verify: verifyBeta,
    readDelivery: readBetaDelivery,
  },
  readEvent: readBetaEvent,
  paymentEvent: { type: LISTED_PAYMENT, body: listedPaymentBody },
  // Beta answers the same for a refused token and for a missing permission.
  reconnectHint: "If the app's permissions have changed, the app must be reinstalled at beta.",
  open: openBeta,
};

function openBeta(
  settings: BetaSettings,
  { apiBaseUrl, onCall, shares }: OpenContext,
): ProviderClient {
  const place = {
    environment: settings.BETA_ENVIRONMENT,
    region: settings.BETA_REGION,
    webOrigin: settings.BETA_WEB_ORIGIN,
    apiOrigin: settings.BETA_API_ORIGIN,
  };
  return betaClient({
    api: createBeta({ ...place, shares, onCall }),
    oauth: createBetaOAuth({
      origins: betaOrigins(place),
      redirectUri: `${apiBaseUrl}/api/v1${callbackPath('beta')}`,
      appId: settings.BETA_APP_ID,
      appSecret: settings.BETA_APP_SECRET,
      onCall,
    }),
  });
}

/** Returns beta as the service knows it. */
export function betaClient({ api, oauth }: { api: Beta; oauth: ProviderOAuth }): ProviderClient {
  return {
    oauth,
    async findAccount(accessToken, merchantId, signal) {
      const merchant = await api.findMerchant(accessToken, merchantId, signal);
      // Webhooks name the account by its own id, whatever other spelling beta takes.
      if (merchant?.id !== merchantId) return null;
      const { name, currency, country = null } = merchant;
      return { name, currency: AccountCurrency.parse(currency), country };
    },
    probe: api.findMerchant,
    fetchReports: (asking, body) => fetchBetaReports(api, asking, body),
    created: {
      list: (calls, span) => listBetaCreated(api, calls, span),
      find: (calls, id) => findBetaPayment(api, calls, id),
    },
  };
}
