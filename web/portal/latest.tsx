import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type Schema, useClient, useServiceClock } from '../shared/client.tsx';
import { ago, moment, money, number } from '../shared/format.ts';
import { EmptyState, ErrorNotice, Section, Skeleton } from '../shared/ui/basics.tsx';
import { Icon, type IconName } from '../shared/ui/icons.tsx';
import { itemOf, worthOf } from '../shared/worth.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { nameOf } from './customer-name.ts';
import { PanelLink } from './panel-link.tsx';
import { useShop } from './shop.tsx';

const { latest: texts } = portalTexts;

type Entry = {
  id: string;
  /** What the panel shows of it. */
  of: { shows: 'sale' | 'code'; id: string };
  at: string;
  icon: IconName;
  what: string;
  who: string;
  points: number;
};

const SHOWN = 10;
/** So often the open page asks what is new; a page in the background does not. */
const ASK_AGAIN_MS = 5_000;

/** The last things that happened in the shop, as they happen. */
export function Latest() {
  const { entries, error } = useLatest();
  const clock = useServiceClock();
  const [openedAt] = useState(clock.now);
  return (
    <Section title={texts.title}>
      <ErrorNotice error={error} />
      {entries === undefined && error === null && <Skeleton shape="rows" count={5} />}
      {entries?.length === 0 && (
        <EmptyState picture="sales" title={texts.empty} text={texts.emptyText} />
      )}
      {entries !== undefined && entries.length > 0 && (
        <ul className="items latest" aria-label={texts.title}>
          {entries.map(({ id, of, at, icon, what, who, points }) => (
            <li
              key={id}
              className={Date.parse(at) > openedAt ? 'latest-row changed' : 'latest-row'}
            >
              <Icon name={icon} />
              <span className="latest-what">
                <PanelLink {...of}>{what}</PanelLink>
                <span className="muted">{who}</span>
              </span>
              <span className="latest-end">
                {points > 0 && (
                  <span className="number latest-points">{texts.plus(number(points))}</span>
                )}
                <time className="muted" dateTime={at} title={moment(at)}>
                  {ago(at, clock.now())}
                </time>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function useLatest() {
  const client = useClient();
  const queries = useQueryClient();
  const { tenantId } = useShop();
  const query = useQuery({
    queryKey: ['latest', tenantId],
    queryFn: async () => {
      const [sales, codes] = await Promise.all([
        client.listTransactions({ tenantId, limit: SHOWN }),
        client.listTenantRedemptions({ tenantId, limit: SHOWN }),
      ]);
      return [...sales.map(saleEntry), ...codes.flatMap(codeEntries)]
        .sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
        .slice(0, SHOWN);
    },
    refetchInterval: ASK_AGAIN_MS,
    placeholderData: keepPreviousData,
  });
  const newest = query.data?.map(({ id, points }) => `${id} ${points}`).join();
  const seen = useRef<string>(undefined);
  useEffect(() => {
    // What has happened since the page was opened has changed the figures as well.
    const isNews = seen.current !== undefined && seen.current !== newest;
    seen.current = newest;
    if (isNews) void queries.invalidateQueries({ queryKey: ['statistics', tenantId] });
  }, [newest, queries, tenantId]);
  return { entries: query.data, error: query.data === undefined ? query.error : null };
}

function saleEntry(sale: Schema['Transaction']): Entry {
  const { id, occurredAt, amountMinorUnits, currency, pointsAwarded, pointsReversed } = sale;
  const isRefunded = sale.refundedMinorUnits > 0;
  return {
    id,
    of: { shows: 'sale', id },
    at: occurredAt,
    icon: 'sales',
    what: isRefunded
      ? texts.refundedSale(money(amountMinorUnits, currency))
      : texts.sale(money(amountMinorUnits, currency)),
    who: sale.consumer === null ? texts.unknown : nameOf(sale.consumer),
    points: pointsAwarded - pointsReversed,
  };
}

function codeEntries(code: Schema['ShopRedemption']): Entry[] {
  const isItem = itemOf(code) !== undefined;
  const worth = worthOf(code);
  const of = { shows: 'code', id: code.id } as const;
  const entry = { of, icon: 'ticket', who: nameOf(code.consumer), points: 0 } as const;
  const issued = {
    ...entry,
    id: `${code.id} issued`,
    at: code.issuedAt,
    what: (isItem ? texts.issuedItem : texts.issued)(worth),
  };
  if (code.usedAt === null) return [issued];
  return [
    {
      ...entry,
      id: `${code.id} used`,
      at: code.usedAt,
      what: (isItem ? texts.usedItem : texts.used)(worth),
    },
    issued,
  ];
}
