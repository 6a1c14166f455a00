import type { ErrorEvent } from '@sentry/node';

export type ErrorReporter = {
  /** Passes an error on in the background, with tags to find it by. Never throws. */
  report(error: unknown, tags: Readonly<Record<string, string>>): void;
  /** Sends what is still waiting, for at most two seconds. */
  close(): Promise<void>;
};

const FLUSH_MS = 2_000;

/**
 * Reports errors nobody foresaw to Sentry, or to nobody without a DSN. What is sent is the error's
 * kind, message and stack, and the tags: nothing of a request, a person or the machine, and of a
 * Postgres error no text, since that may quote values. The process's own crash is reported as well.
 * Throws when there is a DSN but the optional package @sentry/node is not installed.
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
    // Its own list instead of the default one: that would instrument every request and module.
    defaultIntegrations: false,
    integrations: [sentry.linkedErrorsIntegration(), sentry.onUncaughtExceptionIntegration()],
    skipOpenTelemetrySetup: true,
    sendDefaultPii: false,
    includeServerName: false,
    maxBreadcrumbs: 0,
    beforeSend: withoutValues,
  });
  if (client?.getDsn() === undefined) {
    throw new Error('SENTRY_DSN is no DSN: it looks like https://<key>@<host>/<project>.');
  }

  return {
    report(error, tags) {
      const isError = error instanceof Error;
      const known = isError ? error : new Error(`What was thrown is no error: ${typeof error}.`);
      sentry.captureException(known, { tags: { ...tags } });
    },
    async close() {
      await client.close(FLUSH_MS);
    },
  };
}

async function loadSentry(): Promise<typeof import('@sentry/node')> {
  try {
    return await import('@sentry/node');
  } catch (error) {
    throw new Error(
      'SENTRY_DSN is set, but the optional package @sentry/node cannot be loaded. Install it with ' +
        '"npm install --include=optional", or unset SENTRY_DSN.',
      { cause: error },
    );
  }
}

/** The name under which the driver throws what Postgres says. */
const POSTGRES_ERROR = 'error';

function withoutValues(event: ErrorEvent): ErrorEvent {
  for (const exception of event.exception?.values ?? []) {
    if (exception.type === POSTGRES_ERROR) exception.value = 'Postgres refused a statement.';
  }
  return event;
}
