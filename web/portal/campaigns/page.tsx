import { campaignTerms } from '../../shared/campaign-terms.ts';
import { type Schema, useClient } from '../../shared/client.tsx';
import { moment, number } from '../../shared/format.ts';
import { pointsText } from '../../shared/points-text.ts';
import { Badge, Meter } from '../../shared/ui/basics.tsx';
import { usePages } from '../../shared/use-pages.ts';
import { campaignTexts as texts } from '../../texts/en/campaigns.ts';
import { portalTexts } from '../../texts/en/portal.ts';
import { EndForGood, PublishedPage } from '../published.tsx';
import { useShop } from '../shop.tsx';

type Campaign = Schema['Campaign'];

const KINDS = { scheduled: 'plain', running: 'good', exhausted: 'warn', ended: 'plain' } as const;

/** The campaigns of the shop: what they give, what they have given, and how to end one. */
export default function CampaignsPage() {
  const client = useClient();
  const { tenantId } = useShop();
  const list = usePages(['campaigns', tenantId], () => client.all.listCampaigns({ tenantId }));
  return (
    <PublishedPage
      title={portalTexts.pages.campaigns}
      texts={texts}
      newHref="/campaigns/new"
      list={list}
    >
      {(campaign) => <Item campaign={campaign} />}
    </PublishedPage>
  );
}

function Item({ campaign }: { campaign: Campaign }) {
  const { currency } = useShop();
  const { name, status, spentPoints, awards, budgetPoints } = campaign;
  const sales = texts.sales(awards, number(awards));
  return (
    <>
      <div className="rule-head">
        <strong>{name}</strong>
        <Badge kind={KINDS[status]}>{texts.status[status]}</Badge>
      </div>
      <p>{campaignTerms(campaign, currency)}</p>
      <p className="muted">
        {spanOf(campaign).join(' · ')}
        {awards > 0 && ` · ${texts.spent(pointsText(spentPoints), sales)}`}
      </p>
      {budgetPoints !== null && <Budget spent={spentPoints} budget={budgetPoints} />}
      {status !== 'ended' && <End campaign={campaign} />}
    </>
  );
}

function Budget({ spent, budget }: { spent: number; budget: number }) {
  const label = texts.budget(number(spent), number(budget));
  return (
    <div>
      <p className="muted">{label}</p>
      <Meter value={Math.min(spent, budget)} max={budget} label={label} />
    </div>
  );
}

/** When it began, or will, and ends. */
function spanOf({ status, startsAt, endsAt, endedAt }: Campaign): string[] {
  if (endedAt !== null) return [texts.ended(moment(endedAt))];
  return [
    (status === 'scheduled' ? texts.starts : texts.since)(moment(startsAt)),
    ...(endsAt === null ? [] : [texts.ends(moment(endsAt))]),
  ];
}

function End({ campaign: { id: campaignId, name } }: { campaign: Campaign }) {
  const client = useClient();
  const { tenantId } = useShop();
  return (
    <EndForGood
      name={name}
      texts={texts}
      changes="campaigns"
      send={(attempt) => client.endCampaign({ tenantId, campaignId }, attempt)}
    />
  );
}
