import Koa from 'koa';
import type { Deps } from './http/deps.ts';
import { accessLog } from './http/middleware/access-log.ts';
import { correlationId } from './http/middleware/correlation-id.ts';
import { cors } from './http/middleware/cors.ts';
import { errorEnvelope } from './http/middleware/error-envelope.ts';
import { requestMetrics } from './http/middleware/request-metrics.ts';
import { requestSpan } from './http/middleware/request-span.ts';
import { secureHeaders } from './http/middleware/secure-headers.ts';
import { mount } from './http/mount.ts';
import type { Route } from './http/route.ts';

/**
 * Builds the HTTP application. Traces, logging and metrics are outermost, so that they see each
 * status.
 */
export function createApp(routes: readonly Route[], deps: Deps): Koa {
  const app = new Koa();
  app.use(requestSpan);
  app.use(accessLog(deps.log));
  app.use(requestMetrics(deps.metrics));
  app.use(errorEnvelope(deps.log, deps.report));
  app.use(secureHeaders(deps.settings));
  app.use(cors(deps.settings));
  app.use(correlationId);
  app.use(mount(routes, deps));

  // Only a connection that broke while its response was being sent still gets here.
  app.on('error', (error: unknown) =>
    deps.log.warn(
      { event: 'response_not_received', err: error },
      'The connection broke before the response was received',
    ),
  );
  return app;
}
