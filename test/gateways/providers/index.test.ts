import { describe, expect, it } from 'vitest';
import { POLLED_PROVIDERS, PROVIDERS, REVOKING_PROVIDERS } from '../../../domain/payment.ts';
import {
  openProviders,
  ProviderSettings,
  pollingOf,
  providers,
  WebhookSettings,
} from '../../../gateways/providers/index.ts';
import { InvalidPayload } from '../../../gateways/providers/shared/error.ts';

const unmeasured = { providerAsked() {}, tokenRefreshed() {} };
const settings = ProviderSettings.parse({});
const clients = openProviders(settings, unmeasured, { apiBaseUrl: 'https://api.shop.example' });
const webhookSettings = { ...settings, ...WebhookSettings.parse({}) };
const requestOf = (body: string) => ({
  headers: {},
  body: Buffer.from(body),
  notificationUrl: 'https://api.shop.example/api/v1/webhooks/x',
});

it('what the domain says of providers is what they can do', () => {
  const polled = PROVIDERS.filter((name) => clients[name].polling !== undefined);
  expect(polled).toEqual(POLLED_PROVIDERS);
  expect(PROVIDERS.filter((name) => providers[name].polling !== undefined)).toEqual(polled);
  const revoking = PROVIDERS.filter((name) => clients[name].oauth.revoke !== undefined);
  expect(revoking).toEqual(REVOKING_PROVIDERS);
  for (const name of PROVIDERS.filter((each) => !polled.includes(each))) {
    expect(() => pollingOf(clients, name)).toThrow(name);
  }
});

it('no two providers have a setting, a label or a header of webhooks in common', () => {
  const all = PROVIDERS.map((name) => providers[name]);
  const names = all.flatMap(({ settings: both, webhook }) => [
    ...Object.keys(both.shape),
    ...Object.keys(webhook.settings.shape),
  ]);
  const labels = all.map(({ label }) => label);
  const headers = all.map(({ webhook }) => webhook.security.header);
  for (const list of [names, labels, headers]) expect(new Set(list).size).toBe(list.length);
});

describe.each(PROVIDERS)('%s', (name) => {
  const { label, settingNames, oauth, webhook, readEvent } = providers[name];
  const client = clients[name];

  it('its settings begin with its name, and it says what they are for', () => {
    const own = [
      ...Object.keys(providers[name].settings.shape),
      ...Object.keys(webhook.settings.shape),
    ];
    for (const each of own) expect(each.startsWith(`${name.toUpperCase()}_`)).toBe(true);
    const { environment, overrides, appId, appSecret, webhookKey } = settingNames;
    expect(own).toEqual(
      expect.arrayContaining([environment, ...overrides, appId, appSecret, webhookKey]),
    );
    expect(Object.keys(webhook.settings.shape)).toEqual([webhookKey]);
    expect(label.toLowerCase()).toBe(name);
  });

  it('is in its sandbox and without an app until it is told', () => {
    expect(settings).toMatchObject({ [settingNames.environment]: 'sandbox' });
    expect(client.oauth.missing).toEqual([settingNames.appId, settingNames.appSecret]);
  });

  it('sends merchants to its page with the state', () => {
    const url = client.oauth.authorizationUrl('the-state');
    expect([url.origin, url.pathname]).toEqual([client.oauth.origin, oauth.authorizationPath]);
    expect(url.searchParams.get('state')).toBe('the-state');
  });

  it('believes no webhook without a key, and says so to operators', () => {
    expect(webhook.verify(requestOf('{"type":"x"}'), webhookSettings)).toMatchObject({
      kind: 'refused',
      code: 'UNAUTHORIZED',
      note: { level: 'error', text: expect.stringContaining(name) },
    });
  });

  it.each(['', 'null', '[]', '{"type":1}', '{\xff'])('reads nothing out of %j', (body) => {
    expect(() => webhook.readDelivery(requestOf(body), webhookSettings)).toThrow(InvalidPayload);
    expect(() => readEvent(Buffer.from(body, 'latin1'))).toThrow(InvalidPayload);
  });
});
