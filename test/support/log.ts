import { createLogger, type Logger } from '../../gateways/telemetry/logger.ts';

/** A log whose lines are kept in `lines`, each a JSON object. */
export function logTo(lines: string[]): Logger {
  return createLogger({ level: 'info', service: 'test' }, { write: (line) => lines.push(line) });
}
