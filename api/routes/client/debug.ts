import { z } from 'zod';
import type { Provider } from '../../../domain/payment.ts';
import { callbackPath, webhookPath } from '../../../domain/provider-paths.ts';
import { providers } from '../../../gateways/providers/index.ts';
import type { ApiSettings } from '../../http/deps.ts';
import { route } from '../../http/route.ts';

const Environment = z.enum(['sandbox', 'production']);

/** Makes the route that shows how a provider is set up. */
export function showSetupOf(provider: Provider) {
  const names = providers[provider].settingNames;
  const isSet = (name: string) => z.boolean().describe(`Whether \`${name}\` is set.`);
  return route({
    method: 'GET',
    path: `/client/debug/${provider}`,
    access: 'TENANT_VIEW',
    tag: 'Merchant',
    summary: `Show the configuration of ${provider}, without its secrets`,
    description:
      "The provider's dashboard must contain the redirect and webhook addresses exactly as shown.",
    response: z.object({
      environment: Environment.describe(`Which of ${provider}’s is used.`),
      connectOrigin: z.url().describe('Where merchants connect their account.'),
      appIdConfigured: isSet(names.appId),
      appSecretConfigured: isSet(names.appSecret),
      redirectUri: z.url().describe(`The redirect address to register at ${provider}.`),
      webhookUrl: z.url().describe(`The webhook address to register at ${provider}.`),
      webhookSignatureKeyConfigured: isSet(names.webhookKey),
    }),
    examples: {
      response: {
        environment: 'sandbox',
        connectOrigin: `https://${provider}.example`,
        appIdConfigured: true,
        appSecretConfigured: true,
        redirectUri: `https://api.shop.example/api/v1/oauth/${provider}/callback`,
        webhookUrl: `https://api.shop.example/api/v1/webhooks/${provider}`,
        webhookSignatureKeyConfigured: false,
      },
    },

    handle({ settings, providers: clients }) {
      return {
        environment: Environment.parse(settingOf(settings, names.environment)),
        connectOrigin: clients[provider].oauth.origin,
        appIdConfigured: isConfigured(settings, names.appId),
        appSecretConfigured: isConfigured(settings, names.appSecret),
        redirectUri: `${settings.apiBaseUrl}/api/v1${callbackPath(provider)}`,
        webhookUrl: `${settings.apiBaseUrl}/api/v1${webhookPath(provider)}`,
        webhookSignatureKeyConfigured: isConfigured(settings, names.webhookKey),
      };
    },
  });
}

function isConfigured(settings: ApiSettings, name: string): boolean {
  const value = settingOf(settings, name);
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

function settingOf({ providers: settings }: ApiSettings, name: string): unknown {
  const byName: Readonly<Record<string, unknown>> = settings;
  return byName[name];
}
