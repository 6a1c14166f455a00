import { z } from 'zod';
import { type DatabasePlace, type Installation, installationOf } from './domain/installation.ts';
import {
  claimPath,
  contradictions,
  cronSecrets,
  keyRing,
  missingKeys,
  origins,
  publicKeys,
  pushKeys,
  secureUrl,
} from './domain/safe-settings.ts';
import { count, flag, list, mail, origin, port, seconds, text } from './domain/setting-forms.ts';
import { ProviderSettings, settingNames, WebhookSettings } from './gateways/providers/index.ts';
import { ConfigError, fileOf, readValue, readValues } from './gateways/setting-files.ts';
import { readTemporalPlace, type TemporalPlace } from './gateways/temporal/settings.ts';

const points = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const perMinute = z.coerce.number().int().min(0).max(10_000_000);
const emails = list.transform((items) => items.map((item) => item.toLowerCase()));

/** What API and worker read: a process is given no secret that it has no use for. */
const SharedSchema = z.object({
  PORT: port.default(3000),
  HOST: text.default('0.0.0.0'),
  API_BASE_URL: origin,
  FRONTEND_URL: origin,
  CORS_ALLOWED_ORIGINS: list.pipe(origins),
  OAUTH_BIND_BROWSER: flag.default(false),

  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  DATABASE_OWNER_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOL_MAX: count.default(10),

  TEMPORAL_ADDRESS: text.default('localhost:7233'),
  TEMPORAL_NAMESPACE: text.default('loyalty'),
  TEMPORAL_TLS: flag.optional(),
  TEMPORAL_API_KEY: text.optional(),

  OIDC_ISSUER: secureUrl,
  OIDC_AUDIENCE: text,
  OIDC_JWKS_URL: secureUrl.optional(),
  OIDC_EMAIL_CLAIM: claimPath.default('email'),
  OIDC_EMAIL_VERIFIED_CLAIM: claimPath.default('email_verified'),
  OIDC_PHONE_CLAIM: claimPath.default('phone_number'),
  OIDC_PHONE_VERIFIED_CLAIM: claimPath.default('phone_number_verified'),
  OIDC_CLIENT_INTENT_CLAIM: claimPath.default('app_metadata.role'),
  OIDC_ADMIN_CLIENTS: list,
  OIDC_MERCHANT_CLIENTS: list,
  OIDC_SCOPES: flag.optional(),
  ADMIN_MAX_AUTH_AGE: seconds.optional(),
  ADMIN_ACR: text.optional(),
  DOCS_CLIENT_ID: text.optional(),
  ADMIN_EMAIL_DOMAIN: mail.domain,
  BOOTSTRAP_ADMIN_EMAILS: emails,
  ADJUST_LIMIT_PER_DAY: points.default(1_000_000),

  /** Seals provider tokens: if it is lost, every merchant has to reconnect. */
  ENCRYPTION_KEY: keyRing,
  STATEMENT_PUBLIC_KEYS: list.pipe(publicKeys),

  ...ProviderSettings.shape,

  SMTP_URL: mail.server,
  MAIL_FROM: mail.sender,
  OBJECT_STORE_URL: z.url({ protocol: /^(file|s3)$/ }),
  OBJECT_STORE_PUBLIC_URL: origin.optional(),
  AWS_ACCESS_KEY_ID: text.optional(),
  AWS_SECRET_ACCESS_KEY: text.optional(),
  IDENTITY_DIRECTORY: z.enum(['mail', 'gotrue', 'keycloak']).default('mail'),
  IDENTITY_ADMIN_URL: origin.optional(),
  IDENTITY_ADMIN_TOKEN: text.optional(),

  EXPIRED_CODES: z.enum(['refund', 'forfeit']).default('refund'),
  PAYMENT_REFUNDS: z.enum(['reverse', 'ignore']).default('reverse'),
  PROGRAMME: z.enum(['on', 'off']).default('on'),
  SWEEP_INTERVAL_SECONDS: seconds.default(60),
  RATE_LIMIT_READS: perMinute.default(120),
  RATE_LIMIT_WRITES: perMinute.default(30),
  RATE_LIMIT_LOOKUPS: perMinute.default(30),
  RATE_LIMIT_WEBHOOKS: perMinute.default(6000),
  WEBHOOK_ALLOW_LOOPBACK: flag.default(false),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  SENTRY_DSN: z.url().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  METRICS_PORT: port.optional(),
  WORKER_WORKFLOW_SLOTS: count.default(40),
  WORKER_ACTIVITY_SLOTS: count.default(20),
  /** Few, because runs that ingest webhooks ask the same provider at the same time. */
  WORKER_POLLING_SLOTS: count.default(4),
  WORKER_POLLERS: count.default(5),
  WORKER_CACHE: count.default(250),
  WORKER_VERSIONING: flag.default(false),
  WORKER_MAX_POLLS_PER_SECOND: count.default(500),
  WORKER_HEALTH_PORT: port.optional(),
  SHUTDOWN_GRACE_SECONDS: seconds.default(20),
  NODE_ENV: text.default('development'),
});

const WorkerConfigSchema = SharedSchema.extend({
  /** Signs statements about the ledger; while developing, a key made of ENCRYPTION_KEY does. */
  STATEMENT_SIGNING_KEY: keyRing.optional(),
  VAPID_PRIVATE_KEY: pushKeys.private.optional(),
});

/** Every setting that the service reads. `.env.example` explains each in a line. */
export const ConfigSchema = WorkerConfigSchema.extend({
  DATABASE_LISTEN_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  CRON_SECRET: list.pipe(cronSecrets),
  VAPID_PUBLIC_KEY: pushKeys.public.optional(),
  ...WebhookSettings.shape,
});

/** Whoever breaks into an API must not be able to sign a ledger that it has rewritten. */
const ApiConfigSchema = ConfigSchema.omit({ STATEMENT_SIGNING_KEY: true, VAPID_PRIVATE_KEY: true });

/** What was read, and what the names of Temporal and of the database add up to. */
type Read<Schema extends z.ZodObject> = Omit<z.infer<Schema>, `TEMPORAL_${string}`> & {
  temporal: TemporalPlace;
  database: DatabasePlace;
};

export type Config = Read<typeof ApiConfigSchema> & { listen: DatabasePlace };

/** The service's database, which is for something. */
type ServiceDatabase = DatabasePlace & { installation: Installation };

export type WorkerConfig = Read<typeof WorkerConfigSchema>;

/**
 * Reads the whole environment and reports all problems at once, in a ConfigError.
 *
 * A blank value counts as absent. `NAME_FILE` may give the path of a file that holds the value of
 * NAME, instead of it.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const settings = withTemporal(env, (problems) => parse(ApiConfigSchema, env, problems));
  const database = databaseOf(settings, env);
  const { DATABASE_LISTEN_URL: url, FRONTEND_URL, CORS_ALLOWED_ORIGINS: named } = settings;
  const urlFile = fileOf('DATABASE_LISTEN_URL', env);
  const listen = url === undefined ? database : { url, urlFile };
  const CORS_ALLOWED_ORIGINS = named.length > 0 ? named : [new URL(FRONTEND_URL).origin];
  return { ...settings, CORS_ALLOWED_ORIGINS, database, listen };
}

/** Reads what the worker needs of the environment, as `loadConfig` does. */
export function loadWorkerConfig(env: NodeJS.ProcessEnv = process.env): WorkerConfig {
  const settings = withTemporal(env, (problems) => parse(WorkerConfigSchema, env, problems));
  return { ...settings, database: databaseOf(settings, env) };
}

/** Loads the settings that a command needs, whatever else of the configuration is missing. */
export function loadSettings<Schema extends z.ZodObject>(
  schema: Schema,
  env: NodeJS.ProcessEnv = process.env,
): z.infer<Schema> {
  return parse(schema, env);
}

/** Loads the setting that `npm run migrate` needs: the connection string of the schema's owner. */
export function loadOwnerUrl(env: NodeJS.ProcessEnv = process.env): string {
  const schema = ConfigSchema.pick({ DATABASE_URL: true, DATABASE_OWNER_URL: true });
  const { DATABASE_URL, DATABASE_OWNER_URL } = parse(schema, env);
  return DATABASE_OWNER_URL ?? DATABASE_URL;
}

/** Loads what commands need: where the database is, and what it has to be for. */
export function loadDatabase(env: NodeJS.ProcessEnv = process.env): ServiceDatabase {
  return databaseOf(parse(ConfigSchema.pick(OF_DATABASE), env), env);
}

/** Loads where Temporal is, which is all that `npm run ops -- replay` needs. */
export function loadTemporalPlace(env: NodeJS.ProcessEnv = process.env): TemporalPlace {
  return withTemporal(env, () => ({})).temporal;
}

/** Loads who runs a command of the operators, for the audit log; undefined if nobody says. */
export function loadOperator(env: NodeJS.ProcessEnv = process.env): string | undefined {
  return env.OPERATOR;
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

const OF_DATABASE = { DATABASE_URL: true, NODE_ENV: true, PROGRAMME: true } as const;

function databaseOf(
  settings: Pick<z.infer<typeof ConfigSchema>, keyof typeof OF_DATABASE>,
  env: NodeJS.ProcessEnv,
): ServiceDatabase {
  const { DATABASE_URL: url, NODE_ENV, PROGRAMME } = settings;
  const urlFile = fileOf('DATABASE_URL', env);
  const hasProgrammes = PROGRAMME === 'on';
  return { url, urlFile, installation: installationOf(NODE_ENV), hasProgrammes };
}

/** Adds where Temporal is to other settings; the problems of both are reported together. */
function withTemporal<Settings extends object>(
  env: NodeJS.ProcessEnv,
  readOthers: (problems: string[]) => Settings,
): Settings & { temporal: TemporalPlace } {
  const problems: string[] = [];
  const temporal = readTemporal(env, problems);
  const settings = readOthers(problems);
  if (temporal === undefined || problems.length > 0) throw new ConfigError(problems);
  return { ...settings, temporal };
}

/** All of Temporal's own names are read; those of the schema may be in a file each. */
function readTemporal(env: NodeJS.ProcessEnv, problems: string[]): TemporalPlace | undefined {
  const given = { ...env };
  for (const name of Object.keys(ConfigSchema.shape).filter((it) => it.startsWith('TEMPORAL_'))) {
    given[name] = readValue(name, env, problems);
  }
  return readTemporalPlace(given, problems, fileOf('TEMPORAL_API_KEY', env));
}

function parse<T extends z.ZodObject>(
  schema: T,
  env: NodeJS.ProcessEnv,
  problems: string[] = [],
): z.infer<T> {
  const known = Object.keys(schema.shape);
  const input = readValues(known, env, problems);
  const result = schema.safeParse(input);
  for (const issue of result.error?.issues ?? []) {
    const name = issue.path.join('.');
    const what = input[name] === undefined ? 'is required and not set' : issue.message;
    if (!problems.some((problem) => problem.startsWith(`${name} `))) {
      problems.push(`${name} ${what}`);
    }
  }
  const isNamed = (line: string) =>
    problems.some((said) => said.startsWith(line.slice(0, line.indexOf(' ') + 1)));
  const others = [...contradictions(input, settingNames()), ...missingKeys(input, known)];
  problems.push(...others.filter((line) => !isNamed(line)));
  if (problems.length > 0 || !result.success) throw new ConfigError(problems);
  return result.data;
}

/** Returns the address below which stored pictures are public. */
export function objectsUrlFrom(
  config: Pick<WorkerConfig, 'OBJECT_STORE_PUBLIC_URL' | 'API_BASE_URL'>,
): string {
  return config.OBJECT_STORE_PUBLIC_URL ?? `${config.API_BASE_URL}/objects`;
}
