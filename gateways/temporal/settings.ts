import { readFileSync } from 'node:fs';
import {
  type ClientConfigProfile,
  type LoadClientProfileOptions,
  loadClientConfigProfile,
  toClientOptions,
} from '@temporalio/envconfig';
import type { TemporalSettings } from './connection.ts';

/** Where our runs are: a namespace of a Temporal cluster. */
export type TemporalPlace = { namespace: string; connection: TemporalSettings };

const DEFAULTS = { address: 'localhost:7233', namespace: 'loyalty' };

/**
 * Reads Temporal's own environment configuration: address, namespace, TLS, certificates, API key,
 * metadata. A file of profiles is read only when TEMPORAL_CONFIG_FILE or TEMPORAL_PROFILE names
 * one: a file that happens to lie in a home directory must not send a service elsewhere. An API key
 * switches TLS on; if it is from a file, that is read again for new ones. A blank value counts as
 * absent. Adds what is wrong to `problems`, without any secret, and then returns undefined.
 */
export function readTemporalPlace(
  env: NodeJS.ProcessEnv,
  problems: string[],
  apiKeyFile?: string,
): TemporalPlace | undefined {
  try {
    const profile = readProfile(withoutBlanks(env));
    const refused = refusalOf(profile);
    if (refused === undefined) return placeOf(profile, apiKeyFile);
    problems.push(refused);
  } catch (error) {
    problems.push(`TEMPORAL_* cannot be read: ${reasonOf(error)}`);
  }
  return undefined;
}

function reasonOf(error: unknown): string {
  // The error of a malformed file quotes lines of it, which may hold a key.
  const isMalformed =
    error instanceof TypeError || (error instanceof Error && 'codeblock' in error);
  return error instanceof Error && !isMalformed ? error.message : 'a file is malformed';
}

function withoutBlanks(env: NodeJS.ProcessEnv): Record<string, string> {
  const given = Object.entries(env).map(([name, value = '']) => [name, value.trim()] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

function readProfile(env: Record<string, string>): ClientConfigProfile {
  const { TEMPORAL_CONFIG_FILE: path, TEMPORAL_PROFILE: name } = env;
  const options: LoadClientProfileOptions = { overrideEnvVars: env };
  if (path === undefined && name === undefined) options.disableFile = true;
  // The SDK would take a file that does not exist for an empty one.
  if (path !== undefined) options.configSource = { data: readFileSync(path) };
  return loadClientConfigProfile(options);
}

/** What the SDK would do without a word: leave a certificate out, or send a key unprotected. */
function refusalOf({ tls, apiKey, grpcMeta }: ClientConfigProfile): string | undefined {
  if ((tls?.clientCert === undefined) !== (tls?.clientKey === undefined)) {
    return 'TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH belong together';
  }
  if (apiKey !== undefined && tls?.disabled === true) {
    return (
      'TEMPORAL_API_KEY is refused while TEMPORAL_TLS is false, because the key would be sent ' +
      'unprotected: remove one of the two'
    );
  }
  const isPlain = tls?.disabled === true || (tls === undefined && apiKey === undefined);
  if (grpcMeta?.authorization !== undefined && isPlain) {
    return 'TEMPORAL_GRPC_META_AUTHORIZATION would be sent unprotected: set TEMPORAL_TLS=true';
  }
  return undefined;
}

function placeOf(profile: ClientConfigProfile, apiKeyFile: string | undefined): TemporalPlace {
  const { address, tls, apiKey, metadata } = toClientOptions(profile).connectionOptions;
  const connection = { address: address ?? DEFAULTS.address, tls: tls ?? false, apiKey, metadata };
  return {
    namespace: profile.namespace ?? DEFAULTS.namespace,
    connection: apiKey === undefined ? connection : { ...connection, apiKeyFile },
  };
}
