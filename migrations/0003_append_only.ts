import type { Knex } from 'knex';

/**
 * A trigger function for append-only tables. It raises instead of ignoring the change, so that a
 * mistake is noticed.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception '% on % is refused: its rows are never changed', tg_op, tg_table_name
        using errcode = 'restrict_violation',
              hint = 'Correct it by adding another row.';
    end
    $$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop function refuse_change()');
}
