import { z } from 'zod';
import type { Provider } from '../domain/payment.ts';
import { callApi } from './api-call.ts';

/** The control of a simulated provider that sets how its merchants consent. */
export type ConsentControl = {
  setConsent(mode: 'approve' | 'page', merchantId?: string): void;
};

/**
 * Connects a merchant's account as its browser would: requests the authorization URL from the API,
 * consents there, and follows the redirects. Throws when the last one does not report success.
 */
export async function connectProvider(
  as: { api: string; token: string },
  connection: { tenantId: string; provider: Provider; at: ConsentControl; merchantId: string },
): Promise<void> {
  const { tenantId, provider, at, merchantId } = connection;
  const path = `/client/tenants/${tenantId}/pos-connections/${provider}/connect`;
  const answer = z.object({ authorizationUrl: z.url() }).parse(await callApi(as, 'POST', path, {}));
  at.setConsent('approve', merchantId);
  try {
    const callback = await redirectOf(answer.authorizationUrl);
    const end = new URL(await redirectOf(callback));
    if (end.searchParams.get('connected') !== 'true') {
      throw new Error(`${provider} was not connected: ${end.search}`);
    }
  } finally {
    at.setConsent('page');
  }
}

async function redirectOf(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'manual' });
  await response.body?.cancel();
  const location = response.headers.get('location');
  if (location === null) throw new Error(`${new URL(url).pathname} answered ${response.status}`);
  return new URL(location, url).href;
}
