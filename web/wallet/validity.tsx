import { useQuery } from '@tanstack/react-query';
import { useClient } from '../shared/client.tsx';
import { dateOf } from '../shared/format.ts';
import { pointsText } from '../shared/points-text.ts';
import { validityTexts as texts } from '../texts/en/validity.ts';
import type { Wallet } from './queries.ts';

/** What of the points expires when, soonest first; nothing where none do, or it is not known. */
export default function Validity({ wallet: { id: walletId, balance } }: { wallet: Wallet }) {
  const client = useClient();
  const validity = useQuery({
    // Each entry changes what expires when.
    queryKey: ['validity', walletId, balance],
    queryFn: () => client.showWalletValidity({ walletId }),
    retry: false,
  });
  const points = validity.data?.points ?? [];
  if (!points.some(({ month }) => month !== null)) return null;
  return (
    <div>
      <h2 className="holding-validity">{texts.title}</h2>
      <ul className="validity" aria-label={texts.title}>
        {points.map(({ month, points: count }) => (
          <li key={month}>
            <span>{month === null ? texts.never : texts.until(lastDayOf(month))}</span>
            <strong className="number">{pointsText(count)}</strong>
          </li>
        ))}
      </ul>
      <p className="muted">{texts.order}</p>
    </div>
  );
}

/** The last day of a month as people write it. */
function lastDayOf(month: string): string {
  const [year = 0, nth = 0] = month.split('-').map(Number);
  // Day 0 of the next month.
  return dateOf(Date.UTC(year, nth, 0));
}
