import { setTimeout as sleep } from 'node:timers/promises';
import { connectProvider } from '../../sandbox/connecting.ts';
import type { Deployment } from './deployment.ts';
import type { Provider } from './steps.ts';

const ATTEMPTS = 30;
const PAUSE_MS = 50;
/** Why an account is not connected, however often it is tried. */
const FINAL = /[?&]error=(merchant_taken|currency_mismatch|not_allowed|merchant_mismatch)/;

const connecting = new Map<string, Promise<unknown>>();

/**
 * Connects a tenant to an account, as its merchant does who tries again while anything fails.
 * Returns `connected`, or why it may not be. A simulator consents for one merchant at a time, so
 * tenants wait for each other.
 */
export async function connectAccount(
  { urls, providers }: Deployment,
  { tenantId, merchant: token }: { tenantId: string; merchant: string },
  { provider, merchantId }: { provider: Provider; merchantId: string },
): Promise<string> {
  const at = providers[provider];
  const work = async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        const as = { api: urls[0] ?? '', token };
        await connectProvider(as, { tenantId, provider, at, merchantId });
        return 'connected';
      } catch (error) {
        const reason = FINAL.exec(String(error))?.[1];
        if (reason !== undefined) return reason;
        if (attempt === ATTEMPTS) throw error;
        await sleep(attempt * PAUSE_MS);
      }
    }
  };
  const connected = (connecting.get(at.url) ?? Promise.resolve()).then(work);
  connecting.set(
    at.url,
    connected.catch(() => undefined),
  );
  return connected;
}
