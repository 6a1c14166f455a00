import { type Campaign, endOf, needsClocks } from './campaigns.ts';
import { type Awards, NO_OFFERS, type Offers } from './earning.ts';
import type { UserId } from './ids.ts';
import { kept } from './kept.ts';

/** A sale that is decided later than so long after it was made gets no campaign. */
export const LATE_DAYS = 7;
const DAY_MS = 24 * 3_600_000;

/** What a decision has to know of a campaign: its terms, and whether its budget is spent. */
export type OpenCampaign = Pick<
  Campaign,
  | 'id'
  | 'multiplier'
  | 'points'
  | 'startsAt'
  | 'endsAt'
  | 'endedAt'
  | 'days'
  | 'hours'
  | 'minSpendMinorUnits'
  | 'audience'
> & { isExhausted: boolean };

/** What sales of a shop may earn by besides its rule. */
export type OpenOffers = {
  /** In the order of their publication. */
  campaigns: readonly OpenCampaign[];
  /** Which of the consumers of the sales have earned points at the shop before. */
  buyers: Set<UserId>;
  /** Which tiers the consumers of the sales have, but for those without one. */
  tiers: Map<UserId, NonNullable<Offers['tier']>>;
  /** By whose clocks days and hours are told. */
  timeZone: string;
  now: Date;
};

/** A sale as campaigns see it. `storedAt` is absent while it is stored for the first time. */
export type CampaignSale = { amountMinorUnits: number; occurredAt: Date; storedAt?: Date };

/**
 * Returns what a sale of a consumer gets besides the rule's points if it is decided now: by the
 * tier that they have now, and by the campaigns of the time of the sale, which is that of its
 * arrival if that was earlier. One that is decided more than seven days later gets no campaign.
 */
export function offersOf(open: OpenOffers | null, sale: CampaignSale, userId: UserId): Offers {
  if (open === null) return NO_OFFERS;
  const { campaigns, buyers, timeZone, now } = open;
  const tier = open.tiers.get(userId) ?? null;
  const { amountMinorUnits, occurredAt, storedAt = now } = sale;
  const madeAt = occurredAt < storedAt ? occurredAt : storedAt;
  if (now.getTime() - madeAt.getTime() > LATE_DAYS * DAY_MS) return { tier, campaigns: [] };
  const fitting = campaigns.filter(
    (campaign) =>
      !campaign.isExhausted &&
      amountMinorUnits >= campaign.minSpendMinorUnits &&
      (campaign.audience === 'all' || !buyers.has(userId)) &&
      runsAt(campaign, madeAt, timeZone),
  );
  return { tier, campaigns: fitting };
}

/** Returns what gave awards, so that a sale can be decided once more by another rule. */
export function keptOffers(awards: Awards | undefined): Offers {
  if (awards === undefined) return NO_OFFERS;
  return {
    tier: awards.tier ?? null,
    campaigns: awards.campaigns.map(({ id, points, ...award }) =>
      award.kind === 'multiplier'
        ? { id, multiplier: award.multiplier, points: null }
        : { id, multiplier: null, points },
    ),
  };
}

function runsAt(campaign: OpenCampaign, at: Date, timeZone: string): boolean {
  const { startsAt, days, hours } = campaign;
  if (at < startsAt || at >= endOf(campaign)) return false;
  if (!needsClocks(campaign)) return true;
  const { day, time: shown } = clocksAt(at, timeZone);
  const isDay = days === null || days.includes(day);
  return isDay && (hours === null || (hours.from <= shown && shown < hours.to));
}

const format = kept(
  (timeZone: string) =>
    new Intl.DateTimeFormat('en', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
);
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** What the clocks of a time zone show: the day, from 1 on Monday, and the time as `08:30`. */
function clocksAt(at: Date, timeZone: string): { day: number; time: string } {
  const parts = format(timeZone).formatToParts(at);
  const part = (wanted: Intl.DateTimeFormatPartTypes) =>
    parts.find(({ type }) => type === wanted)?.value ?? '';
  return {
    day: WEEKDAYS.indexOf(part('weekday')) + 1,
    time: `${part('hour')}:${part('minute')}`,
  };
}
