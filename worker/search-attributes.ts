import type { NativeConnection } from '@temporalio/worker';
import { CONNECTION_ID, PROVIDER, TENANT_IDS } from '../workflows/search-attributes.ts';

/** The types' numbers in the server's protocol (IndexedValueType). */
const INDEXED_VALUE_TYPE = { KEYWORD: 2, KEYWORD_LIST: 7 } as const;

/**
 * Registers our search attributes and returns whether the cluster has them now. Where we may not
 * register them, runs are started without.
 */
export async function registerSearchAttributes(
  connection: NativeConnection,
  namespace: string,
): Promise<boolean> {
  const wanted: Record<string, number> = {
    [TENANT_IDS.name]: INDEXED_VALUE_TYPE.KEYWORD_LIST,
    [PROVIDER.name]: INDEXED_VALUE_TYPE.KEYWORD,
    [CONNECTION_ID.name]: INDEXED_VALUE_TYPE.KEYWORD,
  };
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const known = Object.keys(wanted).filter((name) => name in customAttributes);
  // The server refuses a run whose attribute has a value of another type.
  if (known.some((name) => customAttributes[name] !== wanted[name])) return false;
  const missing = Object.entries(wanted).filter(([name]) => !known.includes(name));
  if (missing.length === 0) return true;
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing),
    });
    return true;
  } catch {
    return false;
  }
}
