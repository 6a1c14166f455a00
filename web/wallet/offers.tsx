import { campaignTerms } from '../shared/campaign-terms.ts';
import { day, moment } from '../shared/format.ts';
import { walletTexts } from '../texts/en/wallet.ts';
import { useProgramme, type Wallet } from './queries.ts';

const { offers: texts } = walletTexts;

/** What the shop gives besides now, to this customer; nothing where it gives nothing. */
export default function Offers({ wallet }: { wallet: Wallet }) {
  const campaigns = useProgramme(wallet).data?.campaigns ?? [];
  if (campaigns.length === 0) return null;
  return (
    <section aria-label={texts.title}>
      <h2 className="holding-validity">{texts.title}</h2>
      <ul className="offers">
        {campaigns.map(({ id, name, endsAt, ...terms }) => (
          <li key={id}>
            <strong>{name}</strong>
            <span>{campaignTerms(terms, wallet.currency)}</span>
            {endsAt !== null && <span className="muted">{texts.until(lastOf(endsAt))}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The last day of what ends at midnight, by the clocks that are shown; else when it ends. */
function lastOf(endsAt: string): string {
  const last = day(new Date(Date.parse(endsAt) - 1).toISOString());
  return last === day(endsAt) ? moment(endsAt) : last;
}
