import type { Logger } from '../../gateways/telemetry/logger.ts';
import type { Rendered } from './feed.ts';

/**
 * Gathers the events of resources, by their ids. One that does not have its shape is a bug of ours:
 * it is logged and left out, because it must not hold up the streams of others.
 */
export function createRenderer(log: Logger) {
  const rendered = new Map<string, Rendered>();
  return {
    rendered,
    add(id: string, event: string, resource: () => object): void {
      try {
        rendered.set(id, { event, data: JSON.stringify(resource()) });
      } catch (err) {
        log.error(
          { event: 'stream_event_not_rendered', err, kind: event, id },
          'An event was not sent, because its resource does not have its shape',
        );
      }
    },
  };
}
