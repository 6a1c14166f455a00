import type { Db } from '../../../db/connection.ts';

/** A digest of each table's rows, by table name: a different digest means changed rows. */
export async function digestTables(db: Db): Promise<Record<string, string>> {
  const { rows } = await db.raw<{ rows: { name: string; digest: string }[] }>(
    `select c.relname as name,
       (xpath('/row/digest/text()', query_to_xml(format(
         'select md5(coalesce(string_agg(t::text, '','' order by t::text), '''')) as digest
          from %I t',
         c.relname), false, true, '')))[1]::text as digest
     from pg_class c
     where c.relkind in ('r', 'p') and not c.relispartition
       and c.relnamespace = 'public'::regnamespace
     order by c.relname`,
  );
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}
