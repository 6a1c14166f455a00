import { parseJson } from '../../domain/json.ts';
import { type Statement, StoredStatement, statementName } from '../../domain/statement.ts';
import type { ObjectStore } from './store.ts';

/**
 * Reads a statement from the object store; undefined if it is not there, or the text is not a
 * statement.
 */
export async function readStatement(
  objects: Pick<ObjectStore, 'get'>,
  of: Pick<Statement, 'tenantId' | 'number'>,
): Promise<StoredStatement | undefined> {
  const bytes = await objects.get(statementName(of));
  return bytes && parseStored(bytes.toString('utf8'));
}

/** Reads the body of a statement; undefined if the text is not a statement. */
export function parseStored(body: string): StoredStatement | undefined {
  return StoredStatement.safeParse(parseJson(body)).data;
}
