import type { Stage } from './stage.ts';

// Postgres says more of a refused row than its message: in the detail it quotes the row, and for
// some errors it quotes a value in the message itself.

/** Runs work while the database refuses new users and mails of invites, and quotes their rows. */
export async function whileRowsAreRefused(
  { database: { owner } }: Stage,
  work: () => Promise<unknown>,
): Promise<void> {
  for (const table of TABLES) {
    await owner.raw(`alter table ${table} add constraint refused_rows check (false) not valid`);
  }
  await work();
  for (const table of TABLES) await owner.raw(`alter table ${table} drop constraint refused_rows`);
}

/** Runs work while the database refuses the same rows as ill-formed, with a message that quotes. */
export async function whileValuesAreQuoted(
  { database: { owner } }: Stage,
  work: () => Promise<unknown>,
): Promise<void> {
  await owner.raw(`
    create function quote_row() returns trigger language plpgsql as $$
    begin
      raise exception 'invalid input syntax for type uuid: "%"', new::text
        using errcode = '22P02', detail = new::text;
    end $$`);
  for (const table of TABLES) {
    await owner.raw(
      `create trigger quote_row before insert on ${table}
       for each row execute function quote_row()`,
    );
  }
  await work();
  await owner.raw('drop function quote_row() cascade');
}

const TABLES = ['users', 'invite_mails'];
