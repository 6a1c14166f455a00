const MONTH = `'YYYY-MM'`;

/**
 * What cannot be of what tenants owe after months: no month has more expired than was taken by its
 * end, and of what was earned in a month that was over, a later count never finds more.
 */
export const OWED_WRONGLY = `
      select t.id, null::uuid as wallet_id, t.id as tenant_id, fault.words as problem
      from slice t
      cross join lateral (
        select format('%s expired points are counted at the end of %s, and %s were taken',
          counted.points, to_char(r.month, ${MONTH}), taken.points) as words
        from expiry_runs r
        cross join lateral (
          select sum(expired) as points from liability_months
          where tenant_id = r.tenant_id and month = r.month
        ) counted
        cross join lateral (
          select coalesce(sum(points), 0) as points from point_expiries
          where tenant_id = r.tenant_id and month = r.month
        ) taken
        where r.tenant_id = t.id and counted.points > taken.points
        union all
        select format('%s points earned in %s are counted at the end of %s, and %s before',
          c.earned, to_char(c.earned_in, ${MONTH}), to_char(c.month, ${MONTH}), c.former)
        from (
          select l.month, l.earned_in, l.earned,
            min(l.earned) over (
              partition by l.earned_in order by r.read_at
              rows between unbounded preceding and 1 preceding
            ) as former
          from liability_months l
          join expiry_runs r on r.tenant_id = l.tenant_id and r.month = l.month
          where l.tenant_id = t.id and r.finished_at is not null
            and (l.earned_in + interval '1 month') at time zone t.time_zone <= r.begun_at
        ) c
        where c.earned > c.former
      ) fault`;
