import { z } from 'zod';
import { CALLBACK_PATHS } from '../../../domain/oauth.ts';
import { route } from '../../http/route.ts';
import { ALPHA_WEBHOOK_PATH } from '../webhooks/alpha.ts';

export const showAlphaSetup = route({
  method: 'GET',
  path: '/client/debug/alpha',
  access: 'TENANT_VIEW',
  tag: 'Merchant',
  summary: 'Show the configuration of alpha, without its secrets',
  description:
    "The provider's dashboard must contain the redirect and webhook addresses exactly as shown.",
  response: z.object({
    environment: z.enum(['sandbox', 'production']).describe('Which of alpha’s is used.'),
    connectOrigin: z.url().describe('Where merchants connect their account.'),
    appIdConfigured: z.boolean().describe('Whether `ALPHA_APP_ID` is set.'),
    appSecretConfigured: z.boolean().describe('Whether `ALPHA_APP_SECRET` is set.'),
    redirectUri: z.url().describe('The redirect address to register at alpha.'),
    webhookUrl: z.url().describe('The webhook address to register at alpha.'),
    webhookSignatureKeyConfigured: z
      .boolean()
      .describe('Whether `ALPHA_WEBHOOK_SIGNATURE_KEY` is set.'),
  }),
  examples: {
    response: {
      environment: 'sandbox',
      connectOrigin: 'https://alpha.example',
      appIdConfigured: true,
      appSecretConfigured: true,
      redirectUri: 'https://api.shop.example/api/v1/oauth/alpha/callback',
      webhookUrl: 'https://api.shop.example/api/v1/webhooks/alpha',
      webhookSignatureKeyConfigured: false,
    },
  },

  handle({ settings: { alpha, apiBaseUrl, alphaWebhookSignatureKeys } }) {
    return {
      environment: alpha.environment,
      connectOrigin: alpha.origin,
      appIdConfigured: alpha.appIdConfigured,
      appSecretConfigured: alpha.appSecretConfigured,
      redirectUri: `${apiBaseUrl}/api/v1${CALLBACK_PATHS.alpha}`,
      webhookUrl: `${apiBaseUrl}/api/v1${ALPHA_WEBHOOK_PATH}`,
      webhookSignatureKeyConfigured: alphaWebhookSignatureKeys.length > 0,
    };
  },
});
