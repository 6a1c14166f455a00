import { useState } from 'react';
import { type Schema, useClient } from '../../shared/client.tsx';
import { moment, money, number } from '../../shared/format.ts';
import {
  Badge,
  Button,
  ButtonLink,
  EmptyState,
  ErrorNotice,
  Meter,
  Section,
  Skeleton,
} from '../../shared/ui/basics.tsx';
import { FormDialog } from '../../shared/ui/dialog.tsx';
import { PageTitle } from '../../shared/ui/frame.tsx';
import { More } from '../../shared/ui/lists.tsx';
import { useToast } from '../../shared/ui/toast.tsx';
import { usePages } from '../../shared/use-pages.ts';
import { useSubmit } from '../../shared/use-submit.ts';
import { pointsText } from '../../texts/common.ts';
import { portalTexts } from '../../texts/portal.ts';
import { rewardTexts as texts } from '../../texts/rewards.ts';
import { useShop } from '../shop.tsx';

type Reward = Schema['Reward'];

const KINDS = { offered: 'good', sold_out: 'warn', ended: 'plain' } as const;

/** The rewards of the shop: what they cost, how many were taken, and how to end one. */
export default function RewardsPage() {
  const client = useClient();
  const { tenantId } = useShop();
  const list = usePages(['rewards', tenantId], () => client.all.listRewards({ tenantId }));
  const open = list.items?.filter(({ status }) => status !== 'ended') ?? [];
  const ended = list.items?.filter(({ status }) => status === 'ended') ?? [];
  const create = (
    <ButtonLink kind="primary" href="/rewards/new">
      {texts.new}
    </ButtonLink>
  );
  return (
    <>
      <PageTitle action={create}>{portalTexts.pages.rewards}</PageTitle>
      <p className="muted">{texts.lead}</p>
      <ErrorNotice error={list.error} retry={list.refetch} />
      {list.isPending && <Skeleton />}
      {list.items?.length === 0 && <EmptyState title={texts.none} />}
      {open.length > 0 && (
        <Section title={texts.open}>
          <Items rewards={open} />
        </Section>
      )}
      {ended.length > 0 && (
        <Section title={texts.earlier}>
          <Items rewards={ended} />
        </Section>
      )}
      <More list={list} />
    </>
  );
}

function Items({ rewards }: { rewards: readonly Reward[] }) {
  return (
    <ul className="items">
      {rewards.map((reward) => (
        <li key={reward.id} className="rule">
          <Item reward={reward} />
        </li>
      ))}
    </ul>
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
  const say = useToast();
  const [isOpen, setOpen] = useState(false);
  const end = useSubmit({
    send: (_: undefined, attempt) => client.endReward({ tenantId, rewardId }, attempt),
    changes: [['rewards']],
    onDone: () => {
      say(texts.wasEnded);
      setOpen(false);
    },
  });
  return (
    <div>
      <Button onClick={() => setOpen(true)}>{texts.endOf(name)}</Button>
      <FormDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={`${texts.endOf(name)}?`}
        submit={texts.end}
        close={texts.keep}
        kind="danger"
        command={end}
        onSubmit={() => end.submit(undefined)}
      >
        <p>{texts.endWhat}</p>
      </FormDialog>
    </div>
  );
}
