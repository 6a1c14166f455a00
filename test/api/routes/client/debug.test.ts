import { afterAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../support/http/app.ts';
import { testOAuth } from '../../../support/providers/oauth.ts';
import { providerSettings } from '../../../support/providers/providers.ts';

const opened: TestApp[] = [];
afterAll(async () => {
  for (const app of opened) await app.close();
});

async function setupOf(settings: Parameters<typeof startApp>[0]) {
  const app = await startApp(settings);
  opened.push(app);
  const { token } = await app.signIn({ role: 'client' });
  return app.call({ path: '/api/v1/client/debug/alpha', token });
}

describe('GET /client/debug/alpha', () => {
  it('200 with what is configured and what is missing', async () => {
    expect(await setupOf({})).toMatchObject({
      status: 200,
      body: {
        environment: 'sandbox',
        connectOrigin: 'https://connect.squareupsandbox.com',
        appIdConfigured: false,
        appSecretConfigured: false,
        redirectUri: 'https://api.shop.example/api/v1/oauth/alpha/callback',
        webhookUrl: 'https://api.shop.example/api/v1/webhooks/alpha',
        webhookSignatureKeyConfigured: false,
      },
    });
  });

  it('200 without a secret', async () => {
    const answer = await setupOf({
      oauth: testOAuth({ alpha: 'https://connect.alpha.example', beta: 'https://beta.example' }),
      settings: {
        providers: providerSettings({
          ALPHA_ENVIRONMENT: 'production',
          ALPHA_APP_ID: 'app',
          ALPHA_APP_SECRET: 'very-secret-key',
          ALPHA_WEBHOOK_SIGNATURE_KEY: 'very-secret-key',
        }),
      },
    });
    expect(answer.body).toMatchObject({
      environment: 'production',
      connectOrigin: 'https://connect.alpha.example',
      appIdConfigured: true,
      appSecretConfigured: true,
      webhookSignatureKeyConfigured: true,
    });
    expect(JSON.stringify(answer.body)).not.toContain('very-secret-key');
  });
});
