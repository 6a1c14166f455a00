import type { Db } from './connection.ts';

type Values = Readonly<Record<string, unknown>>;

/** What is used of knex: it runs a statement as it is, and tells who listens that it has begun. */
type Client<Row> = {
  emit(event: 'query-response', rows: readonly Row[], query: Query): void;
  acquireConnection(): Promise<object>;
  query(connection: object, query: Query): Promise<{ response: { rows: Row[] } }>;
  releaseConnection(connection: object): Promise<void>;
};
type Query = { sql: string; bindings: unknown[]; options: { name: string } };

const NAMED = /(?<!:):([a-zA-Z]\w*)/g;

/**
 * Makes a function that runs a statement which each sale needs. The text is read once, and Postgres
 * keeps the plan, on every connection under the name; a `name` stands for this text only. Values
 * are given by the names in the text, each sent once. Rows come as they are: columns have to be
 * named as in the type, and the text has no question marks.
 */
export function keptStatement<Row>(name: string, text: string) {
  const names = [...new Set([...text.matchAll(NAMED)].map(([, found = '']) => found))];
  const sql = text.replace(NAMED, (_, found: string) => `$${names.indexOf(found) + 1}`);
  return async (db: Db, values: Values): Promise<Row[]> => {
    const client: Client<Row> = db.client;
    const bindings = names.map((each) => parameterOf(each, values[each]));
    // In a transaction, this is its connection.
    const connection = await client.acquireConnection();
    try {
      const query = { sql, bindings, options: { name } };
      const { rows } = (await client.query(connection, query)).response;
      client.emit('query-response', rows, query);
      return rows;
    } finally {
      await client.releaseConnection(connection);
    }
  };
}

function parameterOf(name: string, value: unknown): unknown {
  if (value === undefined) throw new Error(`The statement has no value for ${name}.`);
  return Array.isArray(value) ? arrayText(value) : value;
}

/** An array as Postgres reads it. The driver's own way takes four times as long. */
function arrayText(values: readonly unknown[]): string {
  let text = '{';
  for (const value of values) text += text === '{' ? elementText(value) : `,${elementText(value)}`;
  return `${text}}`;
}

const SPECIAL = /["\\]/g;

function elementText(value: unknown): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return `"${value.replace(SPECIAL, '\\$&')}"`;
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`;
  throw new Error('An array holds what is neither a text, a number nor bytes.');
}
