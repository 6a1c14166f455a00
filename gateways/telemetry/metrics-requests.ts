import { Counter, Histogram, type Registry } from 'prom-client';
import { PROVIDERS, type Provider } from '../../domain/payment.ts';

export type AnsweredRequest = {
  method: string;
  /** The pattern of the route, not the requested path, which would make labels unbounded. */
  route: string | undefined;
  status: number;
  seconds: number;
};

/** Why a webhook was refused. */
export type WebhookRefusal = 'unauthentic' | 'limited' | 'invalid' | 'unavailable';

export type RequestMetrics = {
  requestAnswered(request: AnsweredRequest): void;
  /** Counts a webhook whose event is stored. */
  webhookAccepted(provider: Provider): void;
  webhookRefused(provider: Provider, reason: WebhookRefusal): void;
  /** Counts a request refused by a rate limit; `limit` is its name. */
  limitHit(limit: string): void;
  /** Counts an issued code, after the commit. */
  codeIssued(): void;
  /** Counts a used code, after the commit. */
  codeUsed(): void;
  /** Counts an operator who is blocked for a minute, because many codes were unknown. */
  operatorBlocked(): void;
};

const REFUSALS: readonly WebhookRefusal[] = ['unauthentic', 'limited', 'invalid', 'unavailable'];
/** Other methods share one label, because a caller may send any method that Node accepts. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Creates the metrics of the API's requests. */
export function createRequestMetrics(registry: Registry): RequestMetrics {
  const registers = [registry];
  const requests = new Counter({
    name: 'loyalty_http_requests_total',
    help: 'Answered requests; the route is "none" when no route matches.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'loyalty_http_request_duration_seconds',
    help: 'Seconds from the headers of a request to its response.',
    labelNames: ['method', 'route'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const accepted = new Counter({
    name: 'loyalty_webhooks_accepted_total',
    help: 'Webhooks whose event was stored.',
    labelNames: ['provider'],
    registers,
  });
  const refused = new Counter({
    name: 'loyalty_webhooks_refused_total',
    help: 'Webhooks that were refused, by reason.',
    labelNames: ['provider', 'reason'],
    registers,
  });
  const limited = new Counter({
    name: 'loyalty_rate_limited_total',
    help: 'Requests refused by a rate limit.',
    labelNames: ['limit'],
    registers,
  });
  const issued = new Counter({
    name: 'loyalty_codes_issued_total',
    help: 'Redemption codes issued.',
    registers,
  });
  const used = new Counter({
    name: 'loyalty_codes_used_total',
    help: 'Redemption codes used at a point of sale.',
    registers,
  });
  const blocked = new Counter({
    name: 'loyalty_operators_blocked_total',
    help: 'Operators blocked for a minute, because many different codes were unknown.',
    registers,
  });
  // Start at 0, because Prometheus computes a rate only from an earlier value.
  for (const provider of PROVIDERS) {
    accepted.inc({ provider }, 0);
    for (const reason of REFUSALS) refused.inc({ provider, reason }, 0);
  }

  return {
    requestAnswered({ method: given, route = 'none', status, seconds }) {
      const method = METHODS.has(given) ? given : 'other';
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
    },
    webhookAccepted: (provider) => accepted.inc({ provider }),
    webhookRefused: (provider, reason) => refused.inc({ provider, reason }),
    limitHit: (limit) => limited.inc({ limit }),
    codeIssued: () => issued.inc(),
    codeUsed: () => used.inc(),
    operatorBlocked: () => blocked.inc(),
  };
}
