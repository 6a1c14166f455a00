import { createIngestPolicy } from '../activities/ingestion/decide/ingest-policy.ts';
import { createStatementKeys } from '../gateways/crypto/statement-keys.ts';
import { inherited } from '../sandbox/processes/inherited.ts';

// The configuration of the benchmark's processes. Its secrets protect generated data only.

export const API_BASE_URL = 'http://bench.example';
export const SIGNATURE_KEY = 'bench-signature-key';
export const NAMESPACE = 'loyalty-bench';
/** The identity provider that consumers and their tokens are from. */
export const ISSUER = 'https://issuer.example';
/** Repairs are looked for more often than by default: for parts that measure an outage. */
export const FREQUENT_SWEEPS = { SWEEP_INTERVAL_SECONDS: '3' } as const;
const ENCRYPTION_KEY = '00112233445566778899aabbccddeeff'.repeat(2);

/** Builds the environment of an API or worker: production settings, no rate limits, few logs. */
export function serviceEnvironment(options: {
  databaseUrl: string;
  temporalAddress: string;
  port?: number;
}): Record<string, string> {
  return {
    ...inherited(),
    ...(options.port === undefined ? {} : { PORT: String(options.port) }),
    HOST: '127.0.0.1',
    API_BASE_URL,
    FRONTEND_URL: API_BASE_URL,
    DATABASE_URL: options.databaseUrl,
    TEMPORAL_ADDRESS: options.temporalAddress,
    TEMPORAL_NAMESPACE: NAMESPACE,
    OIDC_ISSUER: ISSUER,
    OIDC_AUDIENCE: 'bench',
    ADMIN_EMAIL_DOMAIN: 'bench.example',
    ENCRYPTION_KEY,
    STATEMENT_SIGNING_KEY: ENCRYPTION_KEY,
    STATEMENT_PUBLIC_KEYS: createStatementKeys(KEYS).current.publicKey,
    CRON_SECRET: 'bench-cron-secret',
    ALPHA_WEBHOOK_SIGNATURE_KEY: SIGNATURE_KEY,
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'bench@bench.example',
    OBJECT_STORE_URL: 'file:///tmp/loyalty-bench-objects',
    RATE_LIMIT_READS: '0',
    RATE_LIMIT_WRITES: '0',
    RATE_LIMIT_LOOKUPS: '0',
    RATE_LIMIT_WEBHOOKS: '0',
    LOG_LEVEL: 'warn',
    NODE_ENV: 'production',
  };
}

/** As they are by default, where most parts log less. */
export const SHIPPED = { LOG_LEVEL: 'info' } as const;

/** The keys of a process that has the settings above. */
export const KEYS = [{ id: 'k1', key: Uint8Array.from(Buffer.from(ENCRYPTION_KEY, 'hex')) }];

/** The policy of a worker that has the settings above. */
export const ingestPolicy = createIngestPolicy('reverse', KEYS);
