import type { UserId, WalletId } from '../../domain/ids.ts';
import type { Language } from '../../domain/language.ts';
import type { Db } from '../connection.ts';
import { idAt } from '../ledger/verification/movement.ts';
import { one } from '../one.ts';
import { OLDEST_TRANSACTION } from '../open-transactions.ts';

/*
 * Who is to be told of points is found by the ids of ledger entries, which ascend with the time at
 * which they were made: a sale writes nothing for it. Entries are looked at once, from where the
 * last look ended to ten seconds before the oldest transaction that is open. Whose id is older when
 * its transaction begins, because a clock was set back further, is told of nothing.
 *
 * The work about a wallet keeps the id after which nothing was told. Credits that come until it is
 * done are told with it.
 */

/** More than the clocks of processes differ, and than lies between an id and its transaction. */
const BEHIND_SECONDS = 10;
/** A transaction that is open for longer is not waited for: it writes no credit. */
const LONGEST_TRANSACTION = `interval '5 minutes'`;
/** The first look of all goes back so far. */
const FIRST_ID = idAt(`now() - interval '1 hour'`);
/** Sales within this time are told together. */
const TOGETHER_SECONDS = 60;

/** SQL: whether an entry `e` adds points that its owner is told of. */
const IS_TOLD = `e.entry_type = 'credit' and e.reason in ('purchase', 'admin_adjustment')`;

/** Whether entries were written that nobody has looked at, and that are old enough for it. */
export async function hasNews(db: Db, behindSeconds = BEHIND_SECONDS): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { hasNews: boolean }[] }>(
    `select exists (
       select from ledger_entries
       where id > coalesce((select read_until from notice_position), ${FIRST_ID})
         and id < ${idAt('now() - make_interval(secs => :behindSeconds)')}
     ) as has_news`,
    { behindSeconds },
  );
  return one(rows, 'answer').hasNews;
}

/**
 * Looks at the next entries, at most `limit`, and makes it due to tell the owners of their wallets,
 * where they want to be told and can be. Returns how many it has looked at. Of calls at once one
 * looks.
 */
export async function note(db: Db, limit: number, behindSeconds = BEHIND_SECONDS): Promise<number> {
  const until = await boundOfSettled(db, behindSeconds);
  const { rows } = await db.raw<{ rows: { read: number }[] }>(NOTE, { until, limit });
  return one(rows, 'count').read;
}

/** The bound is read before the entries are: what ends in between is then seen by them. */
async function boundOfSettled(db: Db, behindSeconds: number): Promise<string> {
  await db.raw(
    `insert into notice_position (read_until) values (${FIRST_ID}) on conflict do nothing`,
  );
  const { rows } = await db.raw<{ rows: { until: string }[] }>(
    `select ${idAt(`greatest(began, now() - ${LONGEST_TRANSACTION})
       - make_interval(secs => :behindSeconds)`)} as until
     from (${OLDEST_TRANSACTION}) oldest`,
    { behindSeconds },
  );
  return one(rows, 'bound').until;
}

/** How the owner of a wallet is told: by mail, or on the phones where they have switched it on. */
export type PointsNoticeKind = 'tell_of_points' | 'push_points';

/**
 * SQL: whether the owner `u` of new points is told of them in the way `kind`. They choose once of
 * which, for mails and phones alike, in `n`.
 */
const IS_WANTED = (kind: string, isFirst: string) => `(u.status = 'active'
  and (n.points = 'each' or ${isFirst} and coalesce(n.points, 'first') = 'first')
  and case when ${kind} = 'tell_of_points' then u.email_verified and u.email is not null
    else exists (select from push_subscriptions where user_id = u.id) end)`;

/** A phone that could not be told for this long is not told any more. */
const IS_LATE = `d.kind = 'push_points' and d.changed_at < now() - interval '1 hour'`;

// Without anybody who wants more than the default, only first entries lead to wallets.
const NOTE = `
  with place as materialized (
    select read_until as after from notice_position for no key update skip locked
  ),
  fresh as materialized (
    select e.id, e.wallet_id, e.seq, ${IS_TOLD} as is_told
    from place p cross join lateral (
      select * from ledger_entries where id > p.after and id < :until::uuid
      order by id limit :limit
    ) e
  ),
  moved as (
    update notice_position p
    set read_until = case when (select count(*) from fresh) < :limit
      then greatest(place.after, :until::uuid)
      else (select id from fresh order by id desc limit 1) end
    from place
  ),
  credited as (
    select wallet_id, bool_or(seq = 1) as is_first from fresh
    where is_told and (seq = 1 or (select exists (
      select from notice_choices where points = 'each'
    )))
    group by wallet_id
  ),
  noted as (
    insert into due_work as d (kind, subject_id, position, due_at)
    select k.kind, c.wallet_id, place.after,
      clock_timestamp() + make_interval(secs => ${TOGETHER_SECONDS})
    from place, credited c
    cross join lateral (select user_id from wallets where id = c.wallet_id limit 1) w
    cross join lateral (select * from users where id = w.user_id limit 1) u
    left join notice_choices n on n.user_id = w.user_id
    cross join (values ('tell_of_points'), ('push_points')) k (kind)
    where ${IS_WANTED('k.kind', 'c.is_first')}
    order by k.kind, c.wallet_id
    on conflict (kind, subject_id) do update set changed_at = excluded.changed_at
  )
  select count(*) as read from fresh`;

/**
 * Points that came to a wallet, of which its owner is to be told. What refunds of the same sales
 * have already taken back is subtracted.
 */
export type PointsNotice = {
  id: WalletId;
  userId: UserId;
  /** Null where nothing can be mailed to them. */
  email: string | null;
  language: Language | null;
  tenantName: string;
  logoPath: string | null;
  color: string | null;
  points: number;
  isFirst: boolean;
  /** Whether the first ones are those of before, which an import has brought over. */
  isBroughtOver: boolean;
  /** The id after which nothing was told, and up to which everything is told by this. */
  after: string;
  until: string;
};

/** Far more entries than a wallet gets within the minutes of which its owner is told at once. */
const MAX_ENTRIES = 1_000;

/**
 * Finds what the owners of wallets are to be told now. A wallet that is frozen, closed or empty
 * again is left out, and so is one of a shop that is suspended, and who must not or does not want
 * to be told any more.
 */
export async function findNotices(
  db: Db,
  kind: PointsNoticeKind,
  walletIds: readonly WalletId[],
): Promise<PointsNotice[]> {
  const { rows } = await db.raw<{ rows: PointsNotice[] }>(
    `select w.id, w.user_id, case when u.email_verified then u.email end as email, u.language,
       t.name as tenant_name, t.logo_path, t.color,
       d.position as after, p.read_until as until, came.points, came.is_first,
       came.is_brought_over
     from due_work d
     cross join notice_position p
     join wallets w on w.id = d.subject_id
     join users u on u.id = w.user_id
     join tenants t on t.id = w.tenant_id
     left join notice_choices n on n.user_id = w.user_id
     cross join lateral (
       select sum(its.points) as points, coalesce(bool_or(its.is_first), false) as is_first,
         coalesce(bool_or(its.is_first and exists (
           select from import_rows r where r.id = its.source_id and r.tenant_id = w.tenant_id
         )), false) as is_brought_over
       from (
         select e.source_id, bool_or(e.seq = 1) as is_first,
           sum(case e.entry_type when 'credit' then e.points else -e.points end) as points
         from (
           select * from ledger_entries where wallet_id = w.id order by seq desc
           limit ${MAX_ENTRIES}
         ) e
         where e.id > d.position and e.id <= p.read_until
           and (${IS_TOLD} or e.reason = 'payment_refunded')
         group by e.source_id having bool_or(${IS_TOLD})
       ) its
     ) came
     where d.kind = :kind and d.subject_id = any(:walletIds::uuid[])
       and came.points > 0 and w.balance > 0 and w.status = 'active' and t.status = 'active'
       and ${IS_WANTED('d.kind', 'came.is_first')} and not (${IS_LATE})`,
    { kind, walletIds: [...walletIds] },
  );
  return rows;
}

/** Records that the owner of a wallet was told up to an id; what has come since waits a minute. */
export async function recordTold(
  db: Db,
  kind: PointsNoticeKind,
  { id, until }: Pick<PointsNotice, 'id' | 'until'>,
): Promise<void> {
  await db.raw(
    `update due_work
     set position = :until, due_at = clock_timestamp() + make_interval(secs => ${TOGETHER_SECONDS})
     where kind = :kind and subject_id = :id`,
    { kind, id, until },
  );
}
