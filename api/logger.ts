import { type DestinationStream, type Logger, pino } from 'pino';
import { currentCorrelationId } from './middleware/correlation-id.ts';

export type { Logger } from 'pino';

/** Secrets that must not be logged even by mistake. A wildcard does not reach the top level. */
const SECRETS = ['authorization', 'token', 'accessToken', 'refreshToken', 'password', 'secret'];

/**
 * The process's log: one JSON object per line, with the correlation id of the request being
 * served. An error is logged without the values it carries, which may be personal data.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service: 'api' },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => ({ correlationId: currentCorrelationId() }),
    redact: SECRETS.flatMap((name) => [name, `*.${name}`]),
    serializers: { err: describeError },
  };
  return destination ? pino(options, destination) : pino(options);
}

type DescribedError = {
  type: string;
  message: string;
  stack: string | undefined;
  code: unknown;
  constraint: unknown;
  cause: DescribedError | undefined;
};

function describeError(error: unknown): DescribedError {
  if (!(error instanceof Error)) {
    return describeError(new Error(`something that is no error was thrown: ${typeof error}`));
  }
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    code: 'code' in error ? error.code : undefined,
    constraint: 'constraint' in error ? error.constraint : undefined,
    cause: error.cause instanceof Error ? describeError(error.cause) : undefined,
  };
}
