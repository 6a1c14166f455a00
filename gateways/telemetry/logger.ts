import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** Secrets that must not be logged even by mistake. A wildcard does not reach the top level. */
const SECRETS = ['authorization', 'token', 'accessToken', 'refreshToken', 'password', 'secret'];

/**
 * The process's log: one JSON object per line, with the correlation id of what is being done. An
 * error is logged without the values it carries, which may be personal data.
 */
export function createLogger(
  options: { level: string; service: string; correlationId?: () => string | undefined },
  destination?: DestinationStream,
): Logger {
  const settings = {
    level: options.level,
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => ({ correlationId: options.correlationId?.() }),
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

/** An error may be its own cause, by way of others. */
const MAX_CAUSES = 5;

function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) {
    return describeError(new Error(`something that is no error was thrown: ${typeof error}`));
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

/** Postgres quotes the value that it could not read, which may be a person's. */
function safeMessage(error: Error, code: unknown): string {
  const quotesValue = typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code);
  return quotesValue ? 'Postgres refused a value' : error.message;
}
