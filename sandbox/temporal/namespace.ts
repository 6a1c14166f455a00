import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, isGrpcServiceError, type TLSConfig } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { SEARCH_ATTRIBUTES } from '../../workflows/search-attributes.ts';

/** The protocol's numbers for the types of search attributes. */
const TYPES = {
  Text: 1,
  Keyword: 2,
  Int: 3,
  Double: 4,
  Bool: 5,
  Datetime: 6,
  KeywordList: 7,
} as const;

export type SearchAttributes = Readonly<Record<string, keyof typeof TYPES>>;

/** Longer than the week for which an event is swept, so that its first run is still there. */
const RETENTION = '336h';
const CONNECT_WITHIN_MS = 3_000;
const USABLE_WITHIN_MS = 30_000;

// gRPC status codes.
const NOT_FOUND = 5;
const ALREADY_EXISTS = 6;

const TYPE_NAMES = { KEYWORD: 'Keyword', KEYWORD_LIST: 'KeywordList' } as const;

/** What every namespace of the service needs. */
const OURS: SearchAttributes = Object.fromEntries(
  SEARCH_ATTRIBUTES.map(({ name, type }) => [name, TYPE_NAMES[type]]),
);

/**
 * Returns once the server at `address` responds and its namespace is usable, with the search
 * attributes registered, by default ours; creates what is missing. A new namespace keeps closed
 * runs for two weeks. `tls` is for a server that asks for certificates.
 */
export async function prepareNamespace(
  address: string,
  namespace: string,
  searchAttributes: SearchAttributes = OURS,
  tls: TLSConfig | false = false,
): Promise<void> {
  const connection = await Connection.connect({ address, tls, connectTimeout: CONNECT_WITHIN_MS });
  try {
    await register(connection, namespace);
    await untilUsable(connection, namespace);
    await addSearchAttributes(connection, namespace, searchAttributes);
  } finally {
    await connection.close();
  }
}

async function register({ workflowService }: Connection, namespace: string): Promise<void> {
  const found = await unless(NOT_FOUND, () => workflowService.describeNamespace({ namespace }));
  if (found) return;
  const workflowExecutionRetentionPeriod = msToTs(RETENTION);
  await unless(ALREADY_EXISTS, () =>
    workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod }),
  );
}

/** Waits until all parts of the server know a new namespace, which they poll for. */
async function untilUsable({ workflowService }: Connection, namespace: string): Promise<void> {
  const deadline = Date.now() + USABLE_WITHIN_MS;
  for (;;) {
    const known = await unless(NOT_FOUND, () =>
      workflowService.countWorkflowExecutions({ namespace }),
    );
    if (known) return;
    if (Date.now() > deadline) throw new Error(`Temporal does not find its namespace ${namespace}`);
    await sleep(50);
  }
}

async function addSearchAttributes(
  { operatorService }: Connection,
  namespace: string,
  wanted: SearchAttributes,
): Promise<void> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const missing = Object.entries(wanted).filter(([name]) => !(name in customAttributes));
  if (missing.length === 0) return;
  const searchAttributes = Object.fromEntries(missing.map(([name, type]) => [name, TYPES[type]]));
  await unless(ALREADY_EXISTS, () =>
    operatorService.addSearchAttributes({ namespace, searchAttributes }),
  );
}

/** Makes the call; returns true on success, and false when it failed with this status. */
async function unless(status: number, call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    if (isGrpcServiceError(error) && error.code === status) return false;
    throw error;
  }
}
