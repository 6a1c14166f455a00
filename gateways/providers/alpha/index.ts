import type { OpenContext, PolledPosProvider, ProviderClient } from '../provider.ts';
import type { ProviderOAuth } from '../shared/oauth.ts';
import { type Alpha, createAlpha } from './client.ts';
import { fetchAlphaPayment } from './fetch-payment.ts';
import { listAlphaCreated } from './list-created.ts';
import { AUTHORIZATION_PATH, createAlphaOAuth } from './oauth.ts';
import { LISTED_PAYMENT, listedPaymentBody } from './payloads.ts';
import { AlphaSettings, AlphaWebhookSettings } from './settings.ts';
import { readAlphaDelivery, readAlphaEvent, SIGNATURE_HEADER, verifyAlpha } from './webhook.ts';

/** The stand-in name of Square. */
export const alpha: PolledPosProvider<typeof AlphaSettings, typeof AlphaWebhookSettings> = {
  label: 'Alpha',
  settings: AlphaSettings,
  settingNames: {
    environment: 'ALPHA_ENVIRONMENT',
    overrides: ['ALPHA_ORIGIN'],
    appId: 'ALPHA_APP_ID',
    appSecret: 'ALPHA_APP_SECRET',
    webhookKey: 'ALPHA_WEBHOOK_SIGNATURE_KEY',
  },
  oauth: {
    identifies: 'token',
    authorizationPath: AUTHORIZATION_PATH,
    doTokensExpire: true,
  },
  webhook: {
    settings: AlphaWebhookSettings,
    security: {
      header: SIGNATURE_HEADER,
      description: 'HMAC-SHA256 of the address followed by the body, in base64 or hex.',
    },
    description:
      'The signature is HMAC-SHA256 of the registered address followed by the exact body, in ' +
      'base64. The event is stored, then acknowledged, then ingested. It may be sent any number ' +
      'of times.',
    verify: verifyAlpha,
    readDelivery: readAlphaDelivery,
  },
  readEvent: readAlphaEvent,
  paymentEvent: { type: LISTED_PAYMENT, body: listedPaymentBody },
  polling: {
    errors: { staleCursor: 'INVALID_CURSOR', unknownOrder: 'UNKNOWN_QUERY_PARAMETER' },
  },
  lastingRefusals: ['ACCESS_TOKEN_REVOKED', 'CLIENT_DISABLED'],
  isSetupShown: true,
  open: openAlpha,
};

function openAlpha(settings: AlphaSettings, { onCall }: OpenContext): ProviderClient {
  const place = { environment: settings.ALPHA_ENVIRONMENT, origin: settings.ALPHA_ORIGIN };
  const app = { appId: settings.ALPHA_APP_ID, appSecret: settings.ALPHA_APP_SECRET };
  return alphaClient({
    api: createAlpha({ ...place, onCall }),
    oauth: createAlphaOAuth({ ...place, ...app, onCall }),
    intervals: {
      base: settings.ALPHA_POLL_INTERVAL_SECONDS,
      backup: settings.ALPHA_BACKUP_POLL_INTERVAL_SECONDS,
    },
  });
}

/** Returns alpha as the service knows it. */
export function alphaClient({
  api,
  oauth,
  intervals,
}: {
  api: Alpha;
  oauth: ProviderOAuth;
  intervals: { base: number; backup: number };
}): ProviderClient {
  return {
    oauth,
    findAccount: (accessToken, _, signal) => api.findMerchant(accessToken, signal),
    probe: (accessToken, _, signal) => api.listLocations(accessToken, signal),
    fetchReports: (asking, body) => fetchAlphaPayment(api, asking, body),
    findContacts: api.findCustomer,
    created: {
      list: (calls, span) => listAlphaCreated(api, calls, span),
      find: ({ ask, signal }, id) => ask((token) => api.findPayment(token, id, signal)),
    },
    polling: { intervals, listLocations: api.listLocations, listPayments: api.listPayments },
  };
}
