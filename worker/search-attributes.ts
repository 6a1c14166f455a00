import { isGrpcServiceError } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import type { Logger } from '../gateways/telemetry/logger.ts';
import { SEARCH_ATTRIBUTES } from '../workflows/search-attributes.ts';

/** Each type's number in the server's protocol (IndexedValueType), and its name on the CLI. */
const TYPES = {
  KEYWORD: { number: 2, name: 'Keyword' },
  KEYWORD_LIST: { number: 7, name: 'KeywordList' },
} as const;

// gRPC status codes of a cluster that does not let us list the attributes.
const REFUSED = [7, 12, 16];

/**
 * Throws unless the namespace has every search attribute of ours, with its type: the server would
 * refuse each run that we start. Where the cluster does not let us ask, warns and goes on.
 */
export async function requireSearchAttributes(
  connection: NativeConnection,
  namespace: string,
  log: Logger,
): Promise<void> {
  const lacking = await findLacking(connection, namespace);
  if (lacking instanceof Error) {
    const event = 'search_attributes_unchecked';
    log.warn({ event, err: lacking }, 'Temporal does not say whether it has our search attributes');
  } else if (lacking !== undefined) throw new Error(lacking);
}

/**
 * Returns what the namespace lacks and how to create it, undefined if nothing, or the error of a
 * cluster that does not let us ask. Throws when it does not answer.
 */
export async function findLacking(
  connection: NativeConnection,
  namespace: string,
): Promise<string | Error | undefined> {
  const known = await listed(connection, namespace);
  if (known instanceof Error) return known;
  const wrong = SEARCH_ATTRIBUTES.map(({ name, type }) => ({ name, type: TYPES[type] })).filter(
    ({ name, type }) => known[name] !== type.number,
  );
  if (wrong.length === 0) return undefined;
  const named = wrong.map(({ name, type }) => `${name} (${type.name})`).join(', ');
  const options = wrong.map(({ name, type }) => `--name ${name} --type ${type.name}`).join(' ');
  return (
    `Temporal's namespace ${namespace} lacks the search attributes ${named}, or has them with ` +
    'another type. Create them, as deploy/temporal/create-namespace.sh does: temporal operator ' +
    `search-attribute create --namespace ${namespace} ${options}`
  );
}

async function listed(
  { operatorService }: NativeConnection,
  namespace: string,
): Promise<Record<string, number> | Error> {
  try {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
    return customAttributes ?? {};
  } catch (error) {
    if (!isGrpcServiceError(error) || !REFUSED.includes(Number(error.code))) throw error;
    return error;
  }
}
