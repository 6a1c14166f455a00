import type { Db } from '../../../db/connection.ts';

const TABLES = `
  from pg_class c
  where c.relkind in ('r', 'p') and not c.relispartition
    and c.relnamespace = 'public'::regnamespace`;

/** A digest of each table's rows, by table name: a different digest means changed rows. */
export async function digestTables(db: Db): Promise<Record<string, string>> {
  const { rows } = await db.raw<{ rows: { name: string; digest: string }[] }>(
    `select c.relname as name,
       (xpath('/row/digest/text()', query_to_xml(format(
         'select md5(coalesce(string_agg(t::text, '','' order by t::text), '''')) as digest
          from %I t',
         c.relname), false, true, '')))[1]::text as digest
     ${TABLES} order by c.relname`,
  );
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

/**
 * Returns `digestTables` for many calls, most of which find nothing written since the one before:
 * it reads the tables again only once a statement for one of them was committed.
 */
export async function watchTables(
  owner: Db,
  db: Db,
): Promise<() => Promise<Record<string, string>>> {
  // A row for each statement is seen when what the statement wrote is seen.
  await owner.raw(`
    create schema watch;
    create table watch.written ();
    grant usage on schema watch to public;
    grant select, insert on watch.written to public;
    create function watch.note() returns trigger language plpgsql
      as 'begin insert into watch.written default values; return null; end';`);
  const { rows } = await owner.raw<{ rows: { name: string }[] }>(
    `select c.relname as name ${TABLES}`,
  );
  for (const { name } of rows) {
    await owner.raw(
      `create trigger watched after insert or update or delete on ??
       for each statement execute function watch.note()`,
      [name],
    );
  }
  let seen: number | undefined;
  let digests: Record<string, string> = {};
  return async () => {
    const written = Number((await db('watch.written').count()).at(0)?.count);
    if (written !== seen) digests = await digestTables(db);
    seen = written;
    return digests;
  };
}
