/**
 * Two columns for a query of pos_connections `c`. A worker of the release before this one records
 * its polls there: the later time counts.
 */
export const POLLED_UNTIL = `
  greatest(c.watermark, (select p.watermark from connection_polls p where p.connection_id = c.id))
    as watermark,
  greatest(c.last_polled_at, (
    select p.last_polled_at from connection_polls p where p.connection_id = c.id
  )) as last_polled_at`;
