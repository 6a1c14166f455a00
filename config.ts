import { readFileSync } from 'node:fs';
import { z } from 'zod';

const port = z.coerce.number().int().min(1).max(65535);
const seconds = z.coerce.number().int().min(1).max(86_400);
const count = z.coerce.number().int().min(1).max(100_000);
const points = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const perMinute = z.coerce.number().int().min(0).max(10_000_000);
const text = z.string().trim().min(1);
const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

const list = z
  .string()
  .default('')
  .transform((value) => value.split(',').map((item) => item.trim()))
  .transform((items) => items.filter((item) => item !== ''));

const emails = list.transform((items) => items.map((item) => item.toLowerCase()));

const origin = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));

const origins = list.refine(
  (items) => items.every((item) => URL.canParse(item) && new URL(item).origin === item),
  'must be a comma-separated list of origins such as https://shop.example, without path or *',
);

/** An encryption key, and the id that identifies it in every value that it sealed. */
export type EncryptionKey = { id: string; key: Uint8Array };

const keyRing = z.string().transform((value, context): EncryptionKey[] => {
  const items = value.includes(':') ? value.split(',') : [`k1:${value}`];
  const ring: EncryptionKey[] = [];
  for (const item of items) {
    const match = /^\s*([A-Za-z0-9_-]{1,32}):([0-9a-fA-F]{64})\s*$/.exec(item);
    const [, id, hex] = match ?? [];
    if (id === undefined || hex === undefined || ring.some((key) => key.id === id)) {
      context.addIssue(
        'must be 64 hex characters, or a comma-separated list of kid:hex with distinct kids',
      );
      return z.NEVER;
    }
    ring.push({ id, key: Uint8Array.from(Buffer.from(hex, 'hex')) });
  }
  return ring;
});

const cronSecrets = list.refine(
  (items) => items.length > 0 && items.every((item) => item.length >= 16),
  'must have at least 16 characters (a comma-separated list is accepted during rotation)',
);

/** Every setting that the service reads. `.env.example` explains each in a line. */
export const ConfigSchema = z.object({
  PORT: port.default(3000),
  HOST: text.default('0.0.0.0'),
  API_BASE_URL: origin,
  FRONTEND_URL: origin,
  CORS_ALLOWED_ORIGINS: origins,

  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  DATABASE_OWNER_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOL_MAX: count.default(10),

  TEMPORAL_ADDRESS: text.default('localhost:7233'),
  TEMPORAL_NAMESPACE: text.default('loyalty'),
  TEMPORAL_TLS: flag.default(false),
  TEMPORAL_API_KEY: text.optional(),

  OIDC_ISSUER: z.url({ protocol: /^https?$/ }),
  OIDC_AUDIENCE: text,
  OIDC_JWKS_URL: z.url({ protocol: /^https?$/ }).optional(),
  OIDC_EMAIL_CLAIM: text.default('email'),
  OIDC_EMAIL_VERIFIED_CLAIM: text.default('email_verified'),
  OIDC_PHONE_CLAIM: text.default('phone_number'),
  OIDC_PHONE_VERIFIED_CLAIM: text.default('phone_number_verified'),
  OIDC_CLIENT_INTENT_CLAIM: text.default('app_metadata.role'),
  ADMIN_EMAIL_DOMAIN: text.transform((value) => value.toLowerCase()),
  BOOTSTRAP_ADMIN_EMAILS: emails,
  ADJUST_LIMIT_PER_DAY: points.default(1_000_000),

  /** Seals provider tokens: if it is lost, every merchant has to reconnect. */
  ENCRYPTION_KEY: keyRing,
  CRON_SECRET: cronSecrets,

  ALPHA_APP_ID: text.optional(),
  ALPHA_APP_SECRET: text.optional(),
  ALPHA_ENVIRONMENT: z.enum(['sandbox', 'production']).default('sandbox'),
  ALPHA_WEBHOOK_SIGNATURE_KEY: list,
  ALPHA_ORIGIN: origin.optional(),
  BETA_APP_ID: text.optional(),
  BETA_APP_SECRET: text.optional(),
  BETA_ENVIRONMENT: z.enum(['sandbox', 'production']).default('sandbox'),
  BETA_REGION: z.enum(['na', 'eu', 'la']).default('na'),
  BETA_WEBHOOK_SECRET: text.optional(),
  BETA_WEB_ORIGIN: origin.optional(),
  BETA_API_ORIGIN: origin.optional(),
  BETA_MAX_CONCURRENCY: count.default(4),

  SMTP_URL: z.url({ protocol: /^smtps?$/ }),
  MAIL_FROM: text,
  OBJECT_STORE_URL: z.url({ protocol: /^(file|s3)$/ }),
  OBJECT_STORE_PUBLIC_URL: origin.optional(),
  AWS_ACCESS_KEY_ID: text.optional(),
  AWS_SECRET_ACCESS_KEY: text.optional(),
  IDENTITY_DIRECTORY: z.enum(['mail', 'gotrue', 'keycloak']).default('mail'),
  IDENTITY_ADMIN_URL: origin.optional(),
  IDENTITY_ADMIN_TOKEN: text.optional(),

  EXPIRED_CODES: z.enum(['refund', 'forfeit']).default('refund'),
  PAYMENT_REFUNDS: z.enum(['reverse', 'ignore']).default('reverse'),
  ALPHA_POLL_INTERVAL_SECONDS: seconds.default(300),
  SWEEP_INTERVAL_SECONDS: seconds.default(60),
  RATE_LIMIT_READS: perMinute.default(120),
  RATE_LIMIT_WRITES: perMinute.default(30),
  RATE_LIMIT_LOOKUPS: perMinute.default(30),
  RATE_LIMIT_WEBHOOKS: perMinute.default(6000),

  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  SENTRY_DSN: z.url().optional(),
  METRICS_PORT: port.optional(),
  WORKER_WORKFLOW_SLOTS: count.default(40),
  WORKER_ACTIVITY_SLOTS: count.default(20),
  WORKER_POLLERS: count.default(5),
  WORKER_CACHE: count.default(250),
  WORKER_HEALTH_PORT: port.optional(),
  SHUTDOWN_GRACE_SECONDS: seconds.default(20),
  NODE_ENV: text.default('development'),
});

export type Config = z.infer<typeof ConfigSchema>;

/** Reports what is wrong with the environment: one line per name, which says what it needs. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Reads the whole environment and reports all problems at once, in a ConfigError.
 *
 * A blank value counts as absent. `NAME_FILE` may give the path of a file that holds the value of
 * NAME.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return parse(ConfigSchema, env);
}

/** Loads the setting that `npm run migrate` needs: the connection string of the schema's owner. */
export function loadOwnerUrl(env: NodeJS.ProcessEnv = process.env): string {
  const schema = ConfigSchema.pick({ DATABASE_URL: true, DATABASE_OWNER_URL: true });
  const { DATABASE_URL, DATABASE_OWNER_URL } = parse(schema, env);
  return DATABASE_OWNER_URL ?? DATABASE_URL;
}

/** Loads the setting that `npm run verify` needs: the connection string of the database. */
export function loadDatabaseUrl(env: NodeJS.ProcessEnv = process.env): string {
  return parse(ConfigSchema.pick({ DATABASE_URL: true }), env).DATABASE_URL;
}

/** Loads the configuration, or prints its problems and exits, by default with status 1. */
export function loadOrExit<T>(load: () => T, status = 1): T {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(status);
  }
}

function parse<T extends z.ZodObject>(schema: T, env: NodeJS.ProcessEnv): z.infer<T> {
  const problems: string[] = [];
  const input: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const value = readValue(name, env, problems);
    if (value !== undefined && value.trim() !== '') input[name] = value;
  }

  const result = schema.safeParse(input);
  for (const issue of result.error?.issues ?? []) {
    const name = issue.path.join('.');
    const known = input[name] === undefined ? 'is required and not set' : issue.message;
    if (!problems.some((problem) => problem.startsWith(`${name} `))) {
      problems.push(`${name} ${known}`);
    }
  }
  problems.push(...refusedOverrides(input));
  if (problems.length > 0 || !result.success) {
    const lines = problems.map((problem) => `  ${problem}`);
    throw new ConfigError(`The configuration has problems:\n${lines.join('\n')}`);
  }
  return result.data;
}

/** Origins are fixed in production, so that no setting can send a merchant's tokens elsewhere. */
function refusedOverrides(input: Record<string, string>): string[] {
  const overrides = [
    ['ALPHA_ORIGIN', 'ALPHA_ENVIRONMENT'],
    ['BETA_WEB_ORIGIN', 'BETA_ENVIRONMENT'],
    ['BETA_API_ORIGIN', 'BETA_ENVIRONMENT'],
  ] as const;
  return overrides
    .filter(([name, environment]) => input[name] && input[environment] === 'production')
    .map(
      ([name, environment]) => `${name} is refused while ${environment} is production: remove it`,
    );
}

function readValue(name: string, env: NodeJS.ProcessEnv, problems: string[]): string | undefined {
  const path = env[`${name}_FILE`];
  if (path === undefined || path === '') return env[name];
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    problems.push(`${name} cannot be read: ${name}_FILE names ${path}, which is not readable`);
    return undefined;
  }
}
