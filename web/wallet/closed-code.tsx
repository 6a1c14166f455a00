import { useQuery } from '@tanstack/react-query';
import { useClient } from '../shared/client.tsx';
import { moment, money } from '../shared/format.ts';
import { pointsText } from '../shared/points-text.ts';
import { ButtonLink, DrawnCheck } from '../shared/ui/basics.tsx';
import { Icon } from '../shared/ui/icons.tsx';
import { itemOf, worthOf } from '../shared/worth.ts';
import { walletTexts } from '../texts/en/wallet.ts';
import { type Redemption, useWallet } from './queries.ts';

const { code: texts } = walletTexts;

/** What has become of a code, what is left in the wallet, and the way to the next one. */
export default function ClosedCode({ redemption }: { redemption: Redemption }) {
  const { usedAt, cancelled, tenant } = redemption;
  const item = itemOf(redemption);
  const isUsed = usedAt !== null;
  return (
    <section className={`card done-card ${isUsed ? 'done-good' : ''}`} role="status">
      {isUsed ? <DrawnCheck /> : <Icon name="ticket" />}
      {isUsed ? (
        <>
          <h2>
            {item === undefined
              ? texts.saved(worthOf(redemption), tenant.name)
              : texts.got(item, tenant.name)}
          </h2>
          <p>{texts.used(moment(usedAt))}</p>
        </>
      ) : (
        <>
          <h2>{cancelled ? texts.cancelled : texts.expired}</h2>
          <PointsBack redemption={redemption} />
        </>
      )}
      <WhatNow walletId={redemption.walletId} />
    </section>
  );
}

function WhatNow({ walletId }: { walletId: string }) {
  const wallet = useWallet(walletId);
  if (wallet === undefined) return null;
  const { balance, worthMinorUnits, currency, redeemable } = wallet;
  const points = pointsText(balance);
  return (
    <>
      <p className="muted">{texts.nowHave(points, money(worthMinorUnits, currency))}</p>
      {redeemable.max > 0 ? (
        <ButtonLink kind="brand" href={`/wallets/${walletId}?redeem`}>
          {texts.another}
        </ButtonLink>
      ) : (
        <ButtonLink href={`/wallets/${walletId}`}>{texts.toWallet}</ButtonLink>
      )}
    </>
  );
}

/** Says that the points came back if the ledger says so: an installation may keep them. */
function PointsBack({ redemption: { id, walletId } }: { redemption: Redemption }) {
  const client = useClient();
  const history = useQuery({
    queryKey: ['history', walletId, 'newest'],
    queryFn: () => client.listWalletHistory({ walletId, sourceType: 'redemption', limit: 100 }),
  });
  const entry = history.data?.find(
    ({ sourceId, entry_type }) => sourceId === id && entry_type === 'credit',
  );
  if (entry === undefined) return null;
  const { points } = entry;
  return <p>{texts.pointsBack(pointsText(points))}</p>;
}
