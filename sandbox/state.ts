import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportJWK, generateKeyPair } from 'jose';
import { z } from 'zod';
import { byProvider, type Provider } from '../domain/payment.ts';
import { simulatedProviders } from './providers/index.ts';
import { newSecret } from './providers/shared/secrets.ts';
import { writeAtomically } from './write-atomically.ts';

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
    ...byProvider(() => port),
    apps: port,
    developer: port,
    api: port,
    apiMetrics: port,
    workerMetrics: port,
  }),
  secrets: z.object({
    encryptionKey: z.string().regex(/^[0-9a-f]{64}$/),
    cronSecret: z.string().min(16),
    providers: z.object(byProvider(secretsOf)),
    oidcSigningKey: SigningKey,
    pushKey: base64url.default(newPushKey),
  }),
  /** The ids of the seeded data; absent until the first start has seeded it. */
  seeded: z
    .object({
      tenantId: z.uuid(),
      accounts: z.object(
        byProvider(() => z.object({ merchantId: z.string(), customerId: z.string() })),
      ),
    })
    .optional()
    // Data seeded before there was a provider is incomplete, so it is seeded again.
    .catch(undefined),
});

/** A provider that a state does not know yet gets its secrets on load. */
function secretsOf(provider: Provider) {
  const secret = z.string().min(16);
  return z
    .object({ appId: z.string().min(1), appSecret: secret, webhookKey: secret })
    .default(() => simulatedProviders[provider].newSecrets());
}

/** Everything that the next `npm start` needs again. */
export type State = z.infer<typeof State>;
/** A private ES256 key as JWK. */
export type SigningKey = z.infer<typeof SigningKey>;

/** Makes the private key of pushes. */
function newPushKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ format: 'jwk' }).d ?? '';
}

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
      providers: byProvider((name) => simulatedProviders[name].newSecrets()),
      oidcSigningKey: await newSigningKey(),
      pushKey: newPushKey(),
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

/**
 * Loads the state, or creates one; `fresh` deletes it first. Without one everything starts over:
 * of what a start that was killed has left, the keys are lost.
 */
export async function openState(
  dir: string,
  fresh: boolean,
): Promise<{ state: State; fresh: boolean }> {
  if (fresh) rmSync(stateFile(dir), { force: true });
  const kept = loadState(dir);
  return { state: kept ?? (await newState()), fresh: kept === undefined };
}

/** Saves the state, readable by its owner only; readers see the old or the new state. */
export function saveState(dir: string, state: State): void {
  writeAtomically(stateFile(dir), `${JSON.stringify(State.parse(state), null, 2)}\n`);
}

function stateFile(dir: string): string {
  return join(dir, 'state.json');
}
