import { z } from 'zod';

// What a setting must not be, although its form is right: each of these would undo a protection, or
// fail only later.

/** In a list of origins: every http origin of this machine. */
export const LOOPBACK = 'loopback';

/** Origins that pages may call from. */
export const origins = z
  .array(z.string())
  .refine(
    (items) =>
      items.every(
        (item) => item === LOOPBACK || (URL.canParse(item) && new URL(item).origin === item),
      ),
    'must be a comma-separated list of origins such as https://shop.example, without path or *',
  );

/** Whether nobody between us and the address can answer in its name: https, or this machine. */
function isSecureUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || isLoopback(hostname);
}

/** Whether a host of a URL can only be this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(127(\.\d+){3}|\[::1\]|localhost|[^.]+\.localhost)$/.test(hostname);
}

const MIN_DISTINCT_BYTES = 16;
const MIN_DISTINCT_CHARACTERS = 5;

/** Whether 32 bytes may be random: at random, fewer than 16 different ones do not happen. */
function isStrongKey(key: Uint8Array): boolean {
  return new Set(key).size >= MIN_DISTINCT_BYTES;
}

/** Whether a secret is more than a few characters repeated. */
function isStrongSecret(secret: string): boolean {
  return new Set(secret).size >= MIN_DISTINCT_CHARACTERS;
}

/** Whether the path of a claim leads to what users write themselves, at Supabase for one. */
function isWrittenByUsers(path: string): boolean {
  return path.split('.').some((key) => key === 'user_metadata' || key === 'raw_user_meta_data');
}

/** An address that can be trusted to be who it says. */
export const secureUrl = z
  .url({ protocol: /^https?$/ })
  .refine(isSecureUrl, 'must be an https address; http is for this machine only');

/** Where in a token a claim is. */
export const claimPath = z
  .string()
  .trim()
  .min(1)
  .refine(
    (path) => !isWrittenByUsers(path),
    'names what users write themselves: have the identity provider copy it into a claim of its own',
  );

/** The secrets of the cron routes, of which callers may use any. */
export const cronSecrets = z
  .array(z.string())
  .refine(
    (items) => items.length > 0 && items.every((item) => item.length >= 16),
    'must have at least 16 characters (a comma-separated list is accepted during rotation)',
  )
  .refine((items) => items.every(isStrongSecret), 'must not repeat a few characters');

/** An encryption key, and the id that identifies it in every value that it sealed. */
export type EncryptionKey = { id: string; key: Uint8Array };

/** One key, or a list of them: the first seals, all of them open. */
export const keyRing = z.string().transform((value, context): EncryptionKey[] => {
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
  // Only the key that seals: one that is going out must still open what it sealed.
  if (!ring.slice(0, 1).every(({ key }) => isStrongKey(key))) {
    context.addIssue('must be random: make it with openssl rand -hex 32');
  }
  return ring;
});

/** Public keys of Ed25519, 32 bytes each. */
export const publicKeys = z.array(
  z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex characters for each key'),
);

/** Keys of P-256 in base64url: the private one signs pushes, browsers are given the public one. */
export const pushKeys = {
  private: z.string().regex(/^[\w-]{43}$/, 'must be a private key of P-256, of 43 characters'),
  public: z.string().regex(/^B[\w-]{86}$/, 'must be a public key of P-256, of 87 characters'),
};

type Settings = Readonly<Record<string, string | undefined>>;

/** The settings of a provider that others depend on. */
export type ProviderSettingNames = {
  /** Whether its sandbox or its production is used. */
  environment: string;
  /** Those that say where it is, for a simulator. */
  overrides: readonly string[];
  /** The id of our app there, without which the provider is not used. */
  appId: string;
};

/**
 * Lists, one line per name, what settings make of each other: what one needs of another, and what
 * the production of a provider refuses.
 */
export function contradictions(
  settings: Settings,
  providers: readonly ProviderSettingNames[],
): string[] {
  const inProduction = providers.filter(
    ({ environment }) => settings[environment] === 'production',
  );
  return [
    ...inProduction.flatMap((provider) => refusedOverrides(settings, provider)),
    ...inProduction.flatMap((provider) => refusedLoopback(settings, provider)),
    ...inProduction.flatMap((provider) => refusedWebhooks(settings, provider)),
    ...inProduction.flatMap((provider) => refusedBaseUrl(settings, provider)),
    ...providers.flatMap((provider) => undecidedEnvironment(settings, provider)),
    ...senderProblems(settings),
    ...storeProblems(settings),
    ...directoryProblems(settings),
  ];
}

/**
 * Lists the key of statements that a process of production lacks, of the names that it reads:
 * whoever signs needs one that is not made of what APIs have, and APIs need its public half.
 */
export function missingKeys(settings: Settings, read: readonly string[]): string[] {
  if (settings.NODE_ENV !== 'production') return [];
  const [needed] = ['STATEMENT_SIGNING_KEY', 'STATEMENT_PUBLIC_KEYS'].filter((name) =>
    read.includes(name),
  );
  if (needed === undefined || settings[needed] !== undefined) return [];
  return [`${needed} is required while NODE_ENV is production: .env.example says how to make it`];
}

/** Origins are fixed in production, so that no setting can send a merchant's tokens elsewhere. */
function refusedOverrides(
  settings: Settings,
  { environment, overrides }: ProviderSettingNames,
): string[] {
  return overrides
    .filter((name) => settings[name])
    .map((name) => `${name} is refused while ${environment} is production: remove it`);
}

/** A page on a customer's own machine must never be able to call a service of real merchants. */
function refusedLoopback(settings: Settings, { environment }: ProviderSettingNames): string[] {
  const items = settings.CORS_ALLOWED_ORIGINS?.split(',').map((item) => item.trim());
  if (!items?.includes(LOOPBACK)) return [];
  return [`CORS_ALLOWED_ORIGINS must not contain ${LOOPBACK} while ${environment} is production`];
}

/** A merchant must never be able to have the service call what else runs on its machine. */
function refusedWebhooks(settings: Settings, { environment }: ProviderSettingNames): string[] {
  if (settings.WEBHOOK_ALLOW_LOOPBACK !== 'true') return [];
  return [`WEBHOOK_ALLOW_LOOPBACK is refused while ${environment} is production`];
}

/** Providers send webhooks to https only, and the address that they sign has our path once. */
function refusedBaseUrl(settings: Settings, { environment }: ProviderSettingNames): string[] {
  const { API_BASE_URL: address } = settings;
  if (address === undefined || !URL.canParse(address)) return [];
  const { protocol, pathname } = new URL(address);
  if (protocol === 'https:' && pathname === '/') return [];
  return [`API_BASE_URL must be https, without a path, while ${environment} is production`];
}

/** Real merchants must not end up in a provider's sandbox because a line was forgotten. */
function undecidedEnvironment(
  settings: Settings,
  { environment, appId }: ProviderSettingNames,
): string[] {
  if (settings.NODE_ENV !== 'production' || settings[appId] === undefined) return [];
  if (settings[environment] !== undefined) return [];
  const why = `is required while NODE_ENV is production and ${appId} is set`;
  return [`${environment} ${why}: production for real merchants, or sandbox`];
}

/** Mail in the name of a domain that is for examples is refused everywhere, and nobody is told. */
function senderProblems({ NODE_ENV, MAIL_FROM = '' }: Settings): string[] {
  if (NODE_ENV !== 'production' || !/[@.]example\.(com|net|org)>?\s*$/i.test(MAIL_FROM)) return [];
  return ['MAIL_FROM is of a domain for examples, whose mail is refused: use one of yours'];
}

function storeProblems(settings: Settings): string[] {
  const { OBJECT_STORE_URL: address = '' } = settings;
  if (!URL.canParse(address)) return [];
  // Two slashes make a machine of the first folder.
  if (address.startsWith('file:') && new URL(address).hostname !== '') {
    return ['OBJECT_STORE_URL names a machine: a folder has three slashes, as in file:///dir'];
  }
  if (!address.startsWith('s3:')) return [];
  const problems = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']
    .filter((name) => settings[name] === undefined)
    .map((name) => `${name} is required while OBJECT_STORE_URL names a bucket`);
  const { hostname, searchParams } = new URL(address);
  const endpoint = searchParams.get('endpoint');
  if (hostname === '') problems.push('OBJECT_STORE_URL names no bucket: s3://bucket?region=…');
  if (endpoint !== null && !/^https?:\/\/[^/]/.test(endpoint)) {
    problems.push('OBJECT_STORE_URL has an endpoint that is no http or https address');
  }
  return problems;
}

const ORGANIZATION = /\/admin\/realms\/[^/]+\/organizations\/[^/]+\/?$/;

function directoryProblems(settings: Settings): string[] {
  const { IDENTITY_DIRECTORY: kind, IDENTITY_ADMIN_URL: address } = settings;
  if (kind !== 'gotrue' && kind !== 'keycloak') return [];
  const problems = ['IDENTITY_ADMIN_URL', 'IDENTITY_ADMIN_TOKEN']
    .filter((name) => settings[name] === undefined)
    .map((name) => `${name} is required while IDENTITY_DIRECTORY is ${kind}`);
  if (kind === 'keycloak' && address !== undefined && !ORGANIZATION.test(address)) {
    problems.push(
      'IDENTITY_ADMIN_URL must name an organization: …/admin/realms/{realm}/organizations/{id}',
    );
  }
  return problems;
}
