import { type Schema, useClient } from '../../shared/client.tsx';
import { moment, money, number } from '../../shared/format.ts';
import { pointsText } from '../../shared/points-text.ts';
import { Badge, Meter } from '../../shared/ui/basics.tsx';
import { usePages } from '../../shared/use-pages.ts';
import { portalTexts } from '../../texts/en/portal.ts';
import { rewardTexts as texts } from '../../texts/en/rewards.ts';
import { EndForGood, PublishedPage } from '../published.tsx';
import { useShop } from '../shop.tsx';

type Reward = Schema['Reward'];

const KINDS = { offered: 'good', sold_out: 'warn', ended: 'plain' } as const;

/** The rewards of the shop: what they cost, how many were taken, and how to end one. */
export default function RewardsPage() {
  const client = useClient();
  const { tenantId } = useShop();
  const list = usePages(['rewards', tenantId], () => client.all.listRewards({ tenantId }));
  return (
    <PublishedPage
      title={portalTexts.pages.rewards}
      texts={texts}
      newHref="/rewards/new"
      list={list}
    >
      {(reward) => <Item reward={reward} />}
    </PublishedPage>
  );
}

function Item({ reward }: { reward: Reward }) {
  const { currency } = useShop();
  const { name, status, kind, pricePoints, valueMinorUnits, taken, endsAt } = reward;
  const worth = money(valueMinorUnits, currency);
  const gives = kind === 'item' ? [texts.item, texts.cost(worth)] : [texts.amount(worth)];
  const ends = endsAt === null ? [] : [texts.ends(moment(endsAt))];
  return (
    <>
      <div className="rule-head">
        <strong>{name}</strong>
        <Badge kind={KINDS[status]}>{texts.status[status]}</Badge>
      </div>
      <p>{[pointsText(pricePoints), ...gives].join(' · ')}</p>
      <p className="muted">{[texts.taken(taken, number(taken)), ...ends].join(' · ')}</p>
      <Stock reward={reward} />
      {status !== 'ended' && <End reward={reward} />}
    </>
  );
}

function Stock({ reward: { stock, left } }: { reward: Reward }) {
  if (stock === null || left === null) return null;
  const label = texts.left(number(left), number(stock));
  return (
    <div>
      <p className="muted">{label}</p>
      <Meter value={left} max={stock} label={label} />
    </div>
  );
}

function End({ reward: { id: rewardId, name } }: { reward: Reward }) {
  const client = useClient();
  const { tenantId } = useShop();
  return (
    <EndForGood
      name={name}
      texts={texts}
      changes="rewards"
      send={(attempt) => client.endReward({ tenantId, rewardId }, attempt)}
    />
  );
}
