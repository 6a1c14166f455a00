import { setTimeout as sleep } from 'node:timers/promises';
import { connectProvider } from '../../sandbox/connecting.ts';
import type { Deployment } from './deployment.ts';
import type { Provider } from './steps.ts';

/** An API that is started again on a busy machine is away for long. */
const GIVE_UP_MS = 120_000;
const FIRST_PAUSE_MS = 50;
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
    const deadline = Date.now() + GIVE_UP_MS;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs += FIRST_PAUSE_MS) {
      try {
        const as = { api: urls[0] ?? '', token };
        await connectProvider(as, { tenantId, provider, at, merchantId });
        return 'connected';
      } catch (error) {
        const reason = FINAL.exec(String(error))?.[1];
        if (reason !== undefined) return reason;
        if (Date.now() > deadline) throw error;
        await sleep(pauseMs);
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
