import type { ErrorEvent } from '@sentry/node';

export type ErrorReporter = {
  /** Reports an error in the background, with searchable tags. Never throws. */
  report(error: unknown, tags: Readonly<Record<string, string>>): void;
  /** Sends pending reports, for at most two seconds. */
  close(): Promise<void>;
};

const FLUSH_MS = 2_000;

/**
 * Creates a reporter of unexpected errors to Sentry; without a DSN it does nothing. A report holds
 * the error's type, message and stack, and the tags, but nothing of the request, a person or the
 * machine. For a Postgres error the message is replaced, because it may quote values. A crash of
 * the process is reported too. Throws when a DSN is set but the optional package @sentry/node is
 * not installed.
 */
export async function createErrorReporter(options: {
  dsn: string | undefined;
  service: string;
  environment: string;
}): Promise<ErrorReporter> {
  const { dsn, service, environment } = options;
  if (dsn === undefined) return { report: () => undefined, close: async () => undefined };

  const sentry = await loadSentry();
  const client = sentry.init({
    dsn,
    environment,
    initialScope: { tags: { service } },
    // Not the default integrations, which would instrument every request and module.
    defaultIntegrations: false,
    integrations: [sentry.linkedErrorsIntegration(), sentry.onUncaughtExceptionIntegration()],
    skipOpenTelemetrySetup: true,
    sendDefaultPii: false,
    includeServerName: false,
    maxBreadcrumbs: 0,
    beforeSend: withoutValues,
  });
  if (client?.getDsn() === undefined) {
    throw new Error('SENTRY_DSN is not a DSN. Set it to https://<key>@<host>/<project>.');
  }

  return {
    report(error, tags) {
      const thrown = error instanceof Error ? error : nonError(error);
      sentry.captureException(thrown, { tags: { ...tags } });
    },
    async close() {
      await client.close(FLUSH_MS);
    },
  };
}

/** Stands for a thrown value that is not an Error, without the value. */
function nonError(thrown: unknown): Error {
  return new Error(`A value that is not an Error was thrown: ${typeof thrown}.`);
}

async function loadSentry(): Promise<typeof import('@sentry/node')> {
  try {
    return await import('@sentry/node');
  } catch (error) {
    throw new Error(
      'SENTRY_DSN is set, but the optional package @sentry/node cannot be loaded. ' +
        'Install it with "npm install --include=optional", or unset SENTRY_DSN.',
      { cause: error },
    );
  }
}

/** The name of the errors that the Postgres driver throws. */
const POSTGRES_ERROR = 'error';

function withoutValues(event: ErrorEvent): ErrorEvent {
  for (const exception of event.exception?.values ?? []) {
    if (exception.type === POSTGRES_ERROR) exception.value = 'Postgres refused a statement.';
  }
  return event;
}
