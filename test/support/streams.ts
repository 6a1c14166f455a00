import { followChanges } from '../../api/streams/follow-changes.ts';
import type { TestApp } from './app.ts';
import { type OpenStream, openStream } from './event-stream.ts';
import { createLogger } from '../../gateways/telemetry/logger.ts';

const silent = createLogger({ level: 'silent', service: 'test' });

/** Has the streams of an app hear what is announced, as the API's process does. */
export function hearing(app: TestApp) {
  return followChanges({
    url: app.databaseUrl,
    streams: app.streams,
    metrics: app.metrics,
    log: silent,
  });
}

/** Opens streams of an app, which `closeAll` closes. */
export function streamsOf(app: Pick<TestApp, 'url'>) {
  const opened: OpenStream[] = [];
  return {
    async open(
      path: '/consumer/events' | '/pos/events',
      token: string,
      options: Parameters<typeof openStream>[2] = {},
    ): Promise<OpenStream> {
      const stream = await openStream(`${app.url}/api/v1${path}`, token, options);
      opened.push(stream);
      return stream;
    },
    async closeAll(): Promise<void> {
      await Promise.all(opened.splice(0).map((stream) => stream.close()));
    },
  };
}
