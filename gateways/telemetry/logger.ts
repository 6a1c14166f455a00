import { type DestinationStream, type Logger, pino } from 'pino';
import { currentTraceId } from './spans.ts';

export type { Logger } from 'pino';

/** Fields that are always redacted. Each is listed twice, as `*.` does not match the top level. */
const SECRETS = ['authorization', 'token', 'accessToken', 'refreshToken', 'password', 'secret'];

/**
 * Creates the log of a process: one JSON object per line, with the correlation id of the current
 * work, and the id of its trace if it has one. Errors are logged without the values they contain,
 * which may be personal data.
 */
export function createLogger(
  options: { level: string; service: string; correlationId?: () => string | undefined },
  destination?: DestinationStream,
): Logger {
  const settings = {
    level: options.level,
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => ({ correlationId: options.correlationId?.(), traceId: currentTraceId() }),
    redact: SECRETS.flatMap((name) => [name, `*.${name}`]),
    serializers: { err: (error: unknown) => describeError(error) },
  };
  return destination ? pino(settings, destination) : pino(settings);
}

type DescribedError = {
  type: string;
  message: string;
  stack: string | undefined;
  code: unknown;
  constraint: unknown;
  cause: DescribedError | undefined;
};

/** Limits the depth, because an error may be its own cause, directly or through others. */
const MAX_CAUSES = 5;

function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) {
    return describeError(new Error(`A value that is not an Error was thrown: ${typeof error}.`));
  }
  const code = 'code' in error ? error.code : undefined;
  const message = safeMessage(error, code);
  return {
    type: error.name,
    message,
    stack: error.stack?.replace(error.message, message),
    code,
    constraint: 'constraint' in error ? error.constraint : undefined,
    cause:
      error.cause instanceof Error && depth < MAX_CAUSES
        ? describeError(error.cause, depth + 1)
        : undefined,
  };
}

/** Drops messages of Postgres that quote an invalid value, which may be personal data. */
function safeMessage(error: Error, code: unknown): string {
  const quotesValue = typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code);
  return quotesValue ? 'Postgres refused a value' : error.message;
}
