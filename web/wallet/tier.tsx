import type { Schema } from '../shared/client.tsx';
import { dateOf, decimal, money } from '../shared/format.ts';
import { walletTexts } from '../texts/en/wallet.ts';
import { useProgramme, type Wallet } from './queries.ts';

const { tier: texts } = walletTexts;

/** For how many days a purchase does not count at least. */
const LEAST_WAIT_DAYS = 14;

type Programme = Schema['ConsumerProgramme'];

/** The tier of the customer, and how far it is to the next; nothing where the shop has none. */
export default function Tier({ wallet }: { wallet: Wallet }) {
  const { data: programme } = useProgramme(wallet);
  if (programme === undefined || programme.tiers.length === 0) return null;
  const { tier, returnWindowDays } = programme;
  const title = tier === null ? texts.none : texts.title;
  return (
    <section className="tier" aria-label={title}>
      <h2 className="holding-validity">{title}</h2>
      {tier !== null && (
        <p className="tier-own">
          <strong>{tier.name}</strong>
          {tier.multiplier > 1 && <span>{texts.brings(decimal(tier.multiplier))}</span>}
          {/* On the day itself it is decided anew. */}
          <span className="muted">{texts.until(dateOf(Date.parse(tier.keptUntil) - 1))}</span>
        </p>
      )}
      <Next programme={programme} currency={wallet.currency} />
      <p className="muted">{texts.counts(Math.max(LEAST_WAIT_DAYS, returnWindowDays))}</p>
    </section>
  );
}

/** What is reached but not given yet, since that is done at night, and how far the next one is. */
function Next({ programme, currency }: { programme: Programme; currency: string | null }) {
  const { tiers, tier, qualifyingMinorUnits: spent } = programme;
  const own = tiers.findIndex(({ key }) => key === tier?.key);
  const earned = tiers.findLastIndex(({ thresholdMinorUnits }) => thresholdMinorUnits <= spent);
  const reached = earned > own ? tiers[earned] : undefined;
  const next = tiers[Math.max(own, earned) + 1];
  return (
    <>
      {reached !== undefined && <p>{texts.reached(reached.name)}</p>}
      {next !== undefined && <ToNext next={next} spent={spent} currency={currency} />}
    </>
  );
}

function ToNext(props: {
  next: Programme['tiers'][number];
  spent: number;
  currency: string | null;
}) {
  const { next, spent, currency } = props;
  const { name, thresholdMinorUnits: most, multiplier } = next;
  const label = texts.toGo(money(most - spent, currency), name);
  return (
    <div className="goal">
      <div className="to-go">
        <progress className="meter" value={spent} max={most} aria-label={label} />
        <span>{label}</span>
      </div>
      {multiplier > 1 && <p className="muted">{texts.nextBrings(name, decimal(multiplier))}</p>}
    </div>
  );
}
