import { randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportJWK, generateKeyPair } from 'jose';
import { z } from 'zod';

const port = z.int().min(1).max(65_535).optional();
const base64url = z.string().regex(/^[A-Za-z0-9_-]+$/);

const SigningKey = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  alg: z.literal('ES256'),
  use: z.literal('sig'),
  kid: z.string().min(1),
  x: base64url,
  y: base64url,
  d: base64url,
});

const State = z.object({
  /** The ports of the last start, so that a restart keeps the addresses. */
  ports: z.object({
    postgres: port,
    temporal: port,
    temporalUi: port,
    identity: port,
    smtp: port,
    mail: port,
    alpha: port,
    beta: port,
    apps: port,
    developer: port,
    api: port,
    apiMetrics: port,
    workerMetrics: port,
  }),
  secrets: z.object({
    encryptionKey: z.string().regex(/^[0-9a-f]{64}$/),
    cronSecret: z.string().min(16),
    alphaAppId: z.string().min(1),
    alphaAppSecret: z.string().min(16),
    alphaSignatureKey: z.string().min(16),
    // Older state files have no beta secrets; they are added on load.
    betaAppId: z.string().min(1).default(newBetaAppId),
    betaAppSecret: z.string().min(16).default(newSecret),
    betaWebhookSecret: z.string().min(16).default(randomUUID),
    oidcSigningKey: SigningKey,
  }),
  /** The ids of the seeded data; absent until the first start has seeded it. */
  seeded: z
    .object({
      tenantId: z.uuid(),
      alphaMerchantId: z.string(),
      alphaCustomerId: z.string(),
      betaMerchantId: z.string(),
      betaCustomerId: z.string(),
    })
    .optional()
    // Data seeded before beta existed is incomplete, so it is seeded again.
    .catch(undefined),
});

function newSecret(): string {
  return randomBytes(24).toString('base64url');
}

/** Returns thirteen characters, the form of beta's app ids. */
function newBetaAppId(): string {
  return `BETA${randomBytes(5).toString('hex').toUpperCase().slice(0, 9)}`;
}

/** Everything that the next `npm start` needs again. */
export type State = z.infer<typeof State>;
/** A private ES256 key as JWK. */
export type SigningKey = z.infer<typeof SigningKey>;

/** Returns the folder of the sandbox's state: SANDBOX_DIR, else `.sandbox` in the project. */
export function sandboxDir(env: NodeJS.ProcessEnv = process.env): string {
  return env.SANDBOX_DIR || fileURLToPath(new URL('../.sandbox', import.meta.url));
}

/** Creates a state with new secrets, without ports and without seeded data. */
export async function newState(): Promise<State> {
  return {
    ports: {},
    secrets: {
      encryptionKey: randomBytes(32).toString('hex'),
      cronSecret: newSecret(),
      alphaAppId: `sandbox-alpha-${randomBytes(6).toString('hex')}`,
      alphaAppSecret: newSecret(),
      alphaSignatureKey: newSecret(),
      betaAppId: newBetaAppId(),
      betaAppSecret: newSecret(),
      betaWebhookSecret: randomUUID(),
      oidcSigningKey: await newSigningKey(),
    },
  };
}

/** Creates a private ES256 key with a new id. */
export async function newSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  return SigningKey.parse({ ...jwk, alg: 'ES256', use: 'sig', kid: randomUUID() });
}

/** Loads the state from the folder; undefined when there is none. Throws when it is damaged. */
export function loadState(dir: string): State | undefined {
  const file = stateFile(dir);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return State.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${file} is damaged. Start over with: npm start -- --fresh`, { cause: error });
  }
}

/** Saves the state, readable by its owner only; readers see the old or the new state. */
export function saveState(dir: string, state: State): void {
  writeAtomically(stateFile(dir), `${JSON.stringify(State.parse(state), null, 2)}\n`);
}

/**
 * Replaces a file as a whole, with mode 0600; creates its folder if missing.
 *
 * A process killed halfway leaves the old content and at most a stray file that ends in `.new`.
 */
export function writeAtomically(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}.new`;
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
    closeSync(descriptor);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function stateFile(dir: string): string {
  return join(dir, 'state.json');
}
