import { setTimeout as sleep } from 'node:timers/promises';
import { followChanges } from '../../../api/streams/follow-changes.ts';
import type { ChangeListener } from '../../../db/changes/listener.ts';
import { createLogger } from '../../../gateways/telemetry/logger.ts';
import type { TestApp } from './app.ts';
import { type OpenStream, openStream } from './event-stream.ts';

const silent = createLogger({ level: 'silent', service: 'test' });

/** Has the streams of an app hear what is announced, as the API's process does. */
export async function hearing(
  app: Pick<TestApp, 'databaseUrl' | 'streams' | 'metrics'>,
): Promise<ChangeListener> {
  const { databaseUrl: url, streams, metrics } = app;
  const listener = followChanges({ at: { url }, streams, metrics, log: silent });
  while (!listener.isConnected()) await sleep(10);
  return listener;
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
