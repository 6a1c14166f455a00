import { connect } from '../../db/connection.ts';
import { addressFor, OWNER } from '../../sandbox/postgres/roles.ts';
import type { Postgres } from '../../sandbox/postgres/server.ts';

/** For how many minutes there are tables of events. */
const AHEAD = 60;

/**
 * Has events kept in a table for every minute of the coming hour, as they are for every month, so
 * that each run plays many turns of them: what was received in one is worked on, repeated and read
 * in the next. This month's table holds what is before that, and the next month's what is after it;
 * what is between the hour and the next month goes into the default table. To be done before there
 * are events.
 */
export async function shortenMonths(postgres: Pick<Postgres, 'url'>, name: string): Promise<void> {
  const owner = connect(addressFor(postgres, OWNER, name), 1, 'loyalty-simulation-months');
  try {
    await owner.raw(SHORTEN);
  } finally {
    await owner.destroy();
  }
}

const SHORTEN = `do $$
declare
  this_month constant timestamptz := date_trunc('month', now(), 'UTC');
  next_month constant timestamptz := date_add(this_month, interval '1 month', 'UTC');
  month_after constant timestamptz := date_add(this_month, interval '2 months', 'UTC');
  parent text;
  month timestamptz;
  month_table text;
  start timestamptz;
  ending timestamptz;
begin
  foreach parent in array array['webhook_bodies', 'event_outcomes'] loop
    for month, start, ending in values (this_month, this_month, now()),
        (next_month, greatest(next_month, now() + interval '${AHEAD} minutes'), month_after) loop
      month_table := parent || to_char(month at time zone 'UTC', '_YYYY_MM');
      execute format('alter table %I detach partition %I', parent, month_table);
      execute format('alter table %I attach partition %I for values from (%L) to (%L)',
        parent, month_table, first_event_id(start), first_event_id(ending));
    end loop;
    for minute in 0..${AHEAD - 1} loop
      execute format('create table %I partition of %I for values from (%L) to (%L)',
        parent || '_minute_' || minute, parent,
        first_event_id(now() + make_interval(mins => minute)),
        first_event_id(now() + make_interval(mins => minute + 1)));
    end loop;
  end loop;
end
$$`;
