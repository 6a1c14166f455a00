import { expect, it } from 'vitest';
import { EVENT_OUTCOMES, STORED_OUTCOMES } from '../../../domain/outcomes.ts';
import { useDatabase } from '../../support/fixtures.ts';

const { db } = await useDatabase();

it.each([
  { table: 'payments', outcomes: STORED_OUTCOMES },
  { table: 'event_outcomes', outcomes: EVENT_OUTCOMES },
])('$table take every outcome that the service knows, and no other', async (its) => {
  const { rows } = await db.raw<{ rows: { known: string[] }[] }>(
    `select array(
       select match[1] from regexp_matches(pg_get_constraintdef(oid), '''(\\w+)''', 'g') match
     ) as known
     from pg_constraint where conrelid = :table::regclass and conname = :name`,
    { table: its.table, name: `${its.table}_outcome_known` },
  );
  expect(rows.map(({ known }) => known.sort())).toEqual([[...its.outcomes].sort()]);
});
