import { connect, type Db } from '../../../db/connection.ts';

/** What a statement fails with on a connection that is lost. */
export class Lost extends Error {
  override readonly name: string = 'Lost';
  readonly code = '57P01';
}

/** A connection that is lost when a run of a month is about to commit its nth page. */
export function lostAtPage(url: string, nth: number): Db {
  return lostAt(/open_codes \+/, url, nth);
}

/** A connection that is lost at the nth statement of a kind. */
export function lostAt(kind: RegExp, url: string, nth: number): Db {
  const own = connect(url, 1, 'lost');
  let seen = 0;
  own.on('query', ({ sql }: { sql: string }) => {
    if (!kind.test(sql)) return;
    seen++;
    if (seen === nth) throw new Lost('The database goes.');
  });
  return own;
}
