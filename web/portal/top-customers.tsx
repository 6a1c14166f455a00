import { Link } from 'wouter';
import { type Schema, useServiceClock } from '../shared/client.tsx';
import { ago, moment, money, number } from '../shared/format.ts';
import { Section } from '../shared/ui/basics.tsx';
import { portalTexts } from '../texts/en/portal.ts';
import { nameOf } from './customer-name.ts';

const { top: texts } = portalTexts;

/** Who came most often in the chosen time; nothing while there is no one, or they are too many. */
export function TopCustomers({ statistics }: { statistics: Schema['Statistics'] }) {
  const { topConsumers, currency } = statistics;
  const clock = useServiceClock();
  if (topConsumers === null || topConsumers.length === 0) return null;
  return (
    <Section title={texts.title}>
      <ul className="items" aria-label={texts.title}>
        {topConsumers.map(({ userId, email, phone, sales, lastSaleAt }) => (
          <li key={userId} className="top-row">
            <span className="top-who">
              <Link href={`/consumers/${userId}`}>{nameOf({ email, phone })}</Link>
              <time className="muted" dateTime={lastSaleAt} title={moment(lastSaleAt)}>
                {texts.last(ago(lastSaleAt, clock.now()))}
              </time>
            </span>
            <span className="top-end">
              <strong>{texts.visits(sales.count, number(sales.count))}</strong>
              <span className="muted">{money(sales.amountMinorUnits, currency)}</span>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
