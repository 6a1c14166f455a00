import type { Db } from '../../../db/connection.ts';

/** The text of all rows of all tables; bytes are written in hexadecimal. */
export async function textOfTables(db: Db): Promise<string> {
  const texts: string[] = [];
  for (const name of await tablesOf(db)) {
    const found = await db.raw<{ rows: { text: string }[] }>('select t::text as text from ?? t', [
      name,
    ]);
    texts.push(...found.rows.map(({ text }) => text));
  }
  return texts.join('\n');
}

/** Whether the result of `textOfTables` contains a text, as text or as bytes. */
export function occursIn(tables: string, text: string): boolean {
  return tables.includes(text) || tables.includes(Buffer.from(text).toString('hex'));
}

/** The names of the tables, but for some, that contain one of the texts, as text or as bytes. */
export async function tablesWith(
  db: Db,
  texts: readonly string[],
  others: readonly string[] = [],
): Promise<string[]> {
  const patterns = texts.flatMap((text) => [text, Buffer.from(text).toString('hex')]);
  const found: string[] = [];
  for (const name of await tablesOf(db)) {
    if (others.includes(name)) continue;
    const { rows } = await db.raw<{ rows: unknown[] }>(
      `select from ?? t where exists (
         select from unnest(?::text[]) as text where position(text in t::text) > 0) limit 1`,
      [name, patterns],
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}

async function tablesOf(db: Db): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select c.relname as name from pg_class c
     where c.relkind in ('r', 'p') and not c.relispartition
       and c.relnamespace = 'public'::regnamespace`,
  );
  return rows.map(({ name }) => name);
}
