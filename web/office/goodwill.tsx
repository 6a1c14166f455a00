import { useState } from 'react';
import { Link } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { moment } from '../shared/format.ts';
import { pointsText } from '../shared/points-text.ts';
import { Badge, EmptyState, Notice } from '../shared/ui/basics.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { PagedItems } from '../shared/ui/lists.tsx';
import { usePages } from '../shared/use-pages.ts';
import { officeTexts } from '../texts/en/office.ts';
import { officeGoodwillTexts as texts } from '../texts/en/service.ts';
import { Command, type WithReason } from './command.tsx';

type Request = Schema['WaitingGoodwillRequest'];

const CHANGES = [['goodwill'], ['wallet'], ['audit']];

/** Points that merchants ask for, the longest waiting first: grants or declines them. */
export default function GoodwillPage() {
  const client = useClient();
  const [done, setDone] = useState<string>();
  const list = usePages(['goodwill'], () => client.all.listWaitingGoodwill({}));
  return (
    <>
      <PageTitle>{officeTexts.pages.goodwill}</PageTitle>
      <p className="muted">{texts.lead}</p>
      {done !== undefined && <Notice kind="good">{done}</Notice>}
      <PagedItems
        list={list}
        empty={<EmptyState title={texts.empty} text={texts.emptyText} />}
        label={texts.list}
      >
        {(item) => <Item item={item} onDone={setDone} />}
      </PagedItems>
    </>
  );
}

function Item({ item, onDone }: { item: Request; onDone(text: string): void }) {
  const client = useClient();
  const { id: goodwillId, tenantName, tenantStatus, walletId, balance, requestedBy } = item;
  const points = pointsText(item.points);
  const who = item.email ?? item.phone ?? item.userId;
  return (
    <article className="rule">
      <h2>{texts.ask(tenantName, points)}</h2>
      {tenantStatus === 'suspended' && <Badge kind="warn">{texts.suspended}</Badge>}
      <p>{item.reason}</p>
      <p>
        {texts.customer}: <Link href={`/wallets/${walletId}`}>{who}</Link>{' '}
        <span className="muted">{texts.has(pointsText(balance))}</span>
      </p>
      <p className="muted">
        {texts.by(requestedBy.email ?? requestedBy.userId, moment(item.createdAt))}
      </p>
      <div className="button-row">
        <Command
          open={texts.grant.open}
          label={texts.grant.of(tenantName, points)}
          title={texts.grant.title(points)}
          submit={texts.grant.submit}
          reason="none"
          input={{}}
          send={(_, attempt) => client.grantGoodwill({ goodwillId }, attempt)}
          changes={CHANGES}
          onDone={() => onDone(texts.grant.done)}
        >
          <p>{texts.grant.what(who, tenantName)}</p>
        </Command>
        <Command
          open={texts.decline.open}
          label={texts.decline.of(tenantName, points)}
          title={texts.decline.title}
          submit={texts.decline.submit}
          isDangerous
          reason="required"
          input={{}}
          send={({ reason = '' }: WithReason, attempt) =>
            client.declineGoodwill({ goodwillId, body: { reason } }, attempt)
          }
          changes={CHANGES}
          onDone={() => onDone(texts.decline.done)}
        >
          <p>{texts.decline.what}</p>
        </Command>
        <Link href={`/shops/${item.tenantId}`}>{officeTexts.imports.shop}</Link>
      </div>
    </article>
  );
}
