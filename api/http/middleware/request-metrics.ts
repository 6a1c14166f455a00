import type { Context, Next } from 'koa';
import { PROVIDERS } from '../../../domain/payment.ts';
import { webhookPath } from '../../../domain/provider-paths.ts';
import type { Metrics } from '../../../gateways/telemetry/metrics.ts';
import type { WebhookRefusal } from '../../../gateways/telemetry/metrics-requests.ts';

/** Counts and times each request by its route pattern, and counts refused webhooks. */
export function requestMetrics(metrics: Metrics) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const start = performance.now();
    await next();
    const { method, status } = ctx;
    const route: string | undefined = ctx.state.route;
    metrics.requestAnswered({ method, route, status, seconds: (performance.now() - start) / 1000 });

    const reason = refusalOf(status);
    if (reason === null) return;
    const provider = PROVIDERS.find((name) => route === `/api/v1${webhookPath(name)}`);
    if (provider !== undefined) metrics.webhookRefused(provider, reason);
  };
}

function refusalOf(status: number): WebhookRefusal | null {
  if (status < 400) return null;
  if (status === 401) return 'unauthentic';
  if (status === 429) return 'limited';
  return status < 500 ? 'invalid' : 'unavailable';
}
