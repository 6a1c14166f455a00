import { campaignTerms } from '../shared/campaign-terms.ts';
import { day } from '../shared/format.ts';
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
            {endsAt !== null && <span className="muted">{texts.until(day(endsAt))}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
