import type { Logger } from './logger.ts';

const CANNOT_LISTEN = 2;

/**
 * Ends the process with status 2 and one line in the log when the error is that a port cannot be
 * listened on; throws any other error again.
 */
export function exitIfPortTaken(error: unknown, log: Logger): never {
  const { code, port } = error instanceof Error ? Object(error) : {};
  if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
  const why = code === 'EACCES' ? 'needs more rights' : 'is in use by another process';
  log.fatal({ event: 'port_taken', port }, `Cannot listen: port ${port} ${why}`);
  process.exit(CANNOT_LISTEN);
}
