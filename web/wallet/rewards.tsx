import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { money, number } from '../shared/format.ts';
import { pointsText } from '../shared/points-text.ts';
import { Button } from '../shared/ui/basics.tsx';
import { FormDialog } from '../shared/ui/dialog.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { walletTexts } from '../texts/en/wallet.ts';
import type { Wallet } from './queries.ts';

type Reward = Schema['ConsumerReward'];

const { rewards: texts } = walletTexts;

/** What the shop gives for points, by price; nothing where it offers nothing. */
export default function Rewards({ wallet }: { wallet: Wallet }) {
  const client = useClient();
  const { id: walletId, balance, available } = wallet;
  const rewards = useQuery({
    // What can be had changes with each entry.
    queryKey: ['rewards', walletId, balance, available],
    queryFn: () => client.listWalletRewards({ walletId }),
    retry: false,
  });
  const items = rewards.data ?? [];
  if (items.length === 0) return null;
  return (
    <section aria-label={texts.title}>
      <h2 className="holding-validity">{texts.title}</h2>
      <ul className="offers">
        {items.map((reward) => (
          <li key={reward.id} className="reward">
            <span>
              <strong>{reward.name}</strong>
              <span className="muted">{aboutOf(reward, wallet)}</span>
            </span>
            <Get wallet={wallet} reward={reward} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Its price, its worth where it is money, and how many are left or why it cannot be had. */
function aboutOf({ kind, pricePoints, valueMinorUnits, left, refusal }: Reward, wallet: Wallet) {
  const { available, currency } = wallet;
  const why = () => {
    if (refusal === 'sold_out') return texts.soldOut;
    if (refusal === 'reward_limit') return texts.open;
    if (pricePoints > available) return texts.toGo(pointsText(pricePoints - available));
    return left === null ? '' : texts.left(number(left));
  };
  const worth =
    kind === 'amount' ? walletTexts.wallets.worth(money(valueMinorUnits, currency)) : '';
  return [pointsText(pricePoints), worth, why()].filter((part) => part !== '').join(' · ');
}

function Get({ wallet, reward }: { wallet: Wallet; reward: Reward }) {
  const client = useClient();
  const [, navigate] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const redeem = useSubmit({
    send: (rewardId: string, attempt) =>
      client.redeemReward({ walletId: wallet.id, rewardId }, attempt),
    changes: [['wallets'], ['rewards'], ['redemptions'], ['history', wallet.id]],
    onDone: ({ redemptionId }) => navigate(`/codes/${redemptionId}`),
  });
  const price = pointsText(reward.pricePoints);
  return (
    <>
      <Button
        kind="brand"
        disabled={!reward.redeemable}
        aria-label={texts.get(reward.name)}
        onClick={() => setOpen(true)}
      >
        {texts.short}
      </Button>
      <FormDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={reward.name}
        submit={texts.getFor(price)}
        kind="brand"
        command={redeem}
        onSubmit={() => redeem.submit(reward.id)}
      >
        <p>{texts.life}</p>
      </FormDialog>
    </>
  );
}
