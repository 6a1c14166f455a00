import type { Db } from '../../../db/connection.ts';

/** The text of all rows of all tables; bytes are written in hexadecimal. */
export async function textOfTables(db: Db): Promise<string> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select c.relname as name from pg_class c
     where c.relkind in ('r', 'p') and not c.relispartition
       and c.relnamespace = 'public'::regnamespace`,
  );
  const texts: string[] = [];
  for (const { name } of rows) {
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
