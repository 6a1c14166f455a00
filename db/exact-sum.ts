/** An expression for a sum, 0 of nothing, that is at most what JSON holds exactly. */
export const exact = (sum: string) =>
  `least(coalesce(${sum}, 0), ${Number.MAX_SAFE_INTEGER})::bigint`;
