import { Counter, Histogram, type Registry } from 'prom-client';
import { PROVIDERS, type Provider } from '../../domain/payment.ts';

export type AnsweredRequest = {
  method: string;
  /** The pattern of the route that served it; a path as it was asked for would be without bounds. */
  route: string | undefined;
  status: number;
  seconds: number;
};

/** Why a delivery was not taken. */
export type WebhookRefusal = 'unauthentic' | 'limited' | 'invalid' | 'unavailable';

export type RequestMetrics = {
  requestAnswered(request: AnsweredRequest): void;
  /** A delivery is stored. */
  webhookAccepted(provider: Provider): void;
  webhookRefused(provider: Provider, reason: WebhookRefusal): void;
  /** A request was one too many; `limit` is the limit's name. */
  limitHit(limit: string): void;
  /** A code was issued, or used, and that is committed. */
  codeIssued(): void;
  codeUsed(): void;
};

const REFUSALS: readonly WebhookRefusal[] = ['unauthentic', 'limited', 'invalid', 'unavailable'];
/** Node knows many more, and a caller may send any of them. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What requests and their answers come to. */
export function createRequestMetrics(registry: Registry): RequestMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: 'loyalty_http_requests_total',
    help: 'Answered requests; the route is "none" where there is none.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'loyalty_http_request_duration_seconds',
    help: 'The time from a request’s headers to its answer.',
    labelNames: ['method', 'route'],
    buckets: DURATIONS,
    registers,
  });
  const accepted = new Counter({
    name: 'loyalty_webhooks_accepted_total',
    help: 'Deliveries that were stored.',
    labelNames: ['provider'],
    registers,
  });
  const refused = new Counter({
    name: 'loyalty_webhooks_refused_total',
    help: 'Deliveries that were not taken.',
    labelNames: ['provider', 'reason'],
    registers,
  });
  const limited = new Counter({
    name: 'loyalty_rate_limited_total',
    help: 'Requests that were refused because a rate limit was reached.',
    labelNames: ['limit'],
    registers,
  });
  const issued = new Counter({
    name: 'loyalty_codes_issued_total',
    help: 'Redemption codes that were issued.',
    registers,
  });
  const used = new Counter({
    name: 'loyalty_codes_used_total',
    help: 'Redemption codes that were used at a till.',
    registers,
  });
  // A rate needs a value from before the first event.
  for (const provider of PROVIDERS) {
    accepted.inc({ provider }, 0);
    for (const reason of REFUSALS) refused.inc({ provider, reason }, 0);
  }

  return {
    requestAnswered({ method: sent, route = 'none', status, seconds }) {
      const method = METHODS.has(sent) ? sent : 'other';
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
    },
    webhookAccepted: (provider) => accepted.inc({ provider }),
    webhookRefused: (provider, reason) => refused.inc({ provider, reason }),
    limitHit: (limit) => limited.inc({ limit }),
    codeIssued: () => issued.inc(),
    codeUsed: () => used.inc(),
  };
}
