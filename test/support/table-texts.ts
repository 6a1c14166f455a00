import type { Db } from '../../db/connection.ts';

/** All that the rows of all tables say, as text; bytes as hexadecimal digits. */
export async function textOfTables(db: Db): Promise<string> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `select c.relname as name from pg_class c
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
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

/** Whether a text occurs in what `textOfTables` found, as text or as bytes. */
export function occursIn(tables: string, text: string): boolean {
  return tables.includes(text) || tables.includes(Buffer.from(text).toString('hex'));
}
