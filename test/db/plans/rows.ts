import { createHash } from 'node:crypto';

// Rows by their numbers: ids that the test and the database make alike, and statements that fill a
// table. In a statement `n` is the number of a row, and ROWS how many there are.

/** Ids that ascend with the number, as a clock of this month makes them. */
const ORDERED = ['event', 'closed', 'entry'];
const now = new Date();
/** In milliseconds since 1970. Numbers may be negative: there is an hour before the first one. */
const FIRST_ID_AT = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1, 1);

/** The month of those ids, as partitions are named. */
export const MONTH = now.toISOString().slice(0, 7).replace('-', '_');

/** The id that `id_of` makes in the database. */
export function idOf(kind: string, nth: number): string {
  const random = createHash('md5').update(`${kind} ${nth}`).digest('hex');
  const time = (FIRST_ID_AT + nth).toString(16).padStart(12, '0');
  const hex = ORDERED.includes(kind) ? time + random.slice(12) : random;
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `7${hex.slice(13, 16)}`];
  return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20)].join('-');
}

export const ID_OF = `
  create function pg_temp.id_of(kind text, nth bigint) returns uuid language sql immutable as $$
    select overlay(overlay(
      case when kind = any('{${ORDERED}}') then lpad(to_hex(${FIRST_ID_AT} + nth), 12, '0')
        else substr(md5(kind || ' ' || nth), 1, 12) end || substr(md5(kind || ' ' || nth), 13)
      placing '7' from 13) placing '8' from 17)::uuid
  $$`;

export const id = (kind: string, nth = 'n') => `pg_temp.id_of('${kind}', ${nth})`;

/** The statement that fills a table with `rows` rows, numbered by `n`. */
export const into = (table: string, values: Record<string, string>, rows = 'ROWS') => `
  insert into ${table} (${Object.keys(values).join(', ')})
  select ${Object.values(values).join(', ')} from generate_series(1, ${rows}) n`;

/** Half of the rows are of the first tenant, the others of one each. */
export const tenantOf = (nth: string) => {
  const [first, own] = [id('tenant', '1'), id('tenant', nth)];
  return `case when ${nth} % 2 = 0 then ${first} else ${own} end`;
};
