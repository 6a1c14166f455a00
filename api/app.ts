import Koa from 'koa';
import type { Deps } from './http/deps.ts';
import { accessLog } from './http/middleware/access-log.ts';
import { correlationId } from './http/middleware/correlation-id.ts';
import { cors } from './http/middleware/cors.ts';
import { errorEnvelope } from './http/middleware/error-envelope.ts';
import { requestMetrics } from './http/middleware/request-metrics.ts';
import { secureHeaders } from './http/middleware/secure-headers.ts';
import { mount } from './http/mount.ts';
import type { Route } from './http/route.ts';

/** The whole service over HTTP: the pipeline of spec 5.3, in its order. */
export function createApp(routes: readonly Route[], deps: Deps): Koa {
  const app = new Koa();
  app.use(accessLog(deps.log));
  app.use(requestMetrics(deps.metrics));
  app.use(errorEnvelope(deps.log, deps.report));
  app.use(secureHeaders);
  app.use(cors(deps.settings.corsAllowedOrigins));
  app.use(correlationId);
  app.use(mount(routes, deps));

  // What still comes here is a connection that broke while it was being answered.
  app.on('error', (error: unknown) => deps.log.warn({ err: error }, 'the answer was not received'));
  return app;
}
