// What people are told of by mail without having asked for it then, as they choose.

/** Of which points a customer is told: the first at a shop, each that come, or none. */
export const POINT_NOTICES = ['first', 'each', 'never'] as const;
export type PointNotices = (typeof POINT_NOTICES)[number];

/** What somebody has chosen; what is of another role is kept and does nothing. */
export type NoticeChoices = {
  points: PointNotices;
  /** Whether a merchant is told each week what it was like. */
  weekly: boolean;
  /** Whether an administrator is told of merchants who wait for their answer. */
  waiting: boolean;
};

/** What applies until somebody chooses otherwise. */
export const DEFAULT_CHOICES: NoticeChoices = { points: 'first', weekly: true, waiting: true };

/** A kind of mail that can be switched off by the link in it. */
export const NOTICE_KINDS = [
  'points',
  'weekly',
  'waiting',
] as const satisfies readonly (keyof NoticeChoices)[];
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** The choice that switches a kind of mail off. */
export function choiceWithout(kind: NoticeKind): Partial<NoticeChoices> {
  return kind === 'points' ? { points: 'never' } : { [kind]: false };
}
