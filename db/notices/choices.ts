import type { UserId } from '../../domain/ids.ts';
import { DEFAULT_CHOICES, type NoticeChoices } from '../../domain/notices.ts';
import type { Db } from '../connection.ts';

/** Finds what a person has chosen to be told of; the defaults of somebody who has not chosen. */
export async function find(db: Db, userId: UserId): Promise<NoticeChoices> {
  const row = await db('notice_choices')
    .where({ userId })
    .first<NoticeChoices | undefined>('points', 'weekly', 'waiting');
  return row ?? DEFAULT_CHOICES;
}

/** Changes what a person is told of; what is left out stays. Nothing is stored of the erased. */
export async function change(
  db: Db,
  userId: UserId,
  choices: { [Name in keyof NoticeChoices]?: NoticeChoices[Name] | undefined },
): Promise<void> {
  const { points = null, weekly = null, waiting = null } = choices;
  await db.raw(
    `with chosen as (
       select :points::text as points, :weekly::boolean as weekly, :waiting::boolean as waiting
     )
     insert into notice_choices as n (user_id, points, weekly, waiting)
     select u.id, coalesce(c.points, :first), coalesce(c.weekly, true), coalesce(c.waiting, true)
     from users u, chosen c where u.id = :userId and u.erased_at is null for share of u
     on conflict (user_id) do update
     set points = coalesce((select points from chosen), n.points),
       weekly = coalesce((select weekly from chosen), n.weekly),
       waiting = coalesce((select waiting from chosen), n.waiting)`,
    { userId, points, weekly, waiting, first: DEFAULT_CHOICES.points },
  );
}
