import { useQuery } from '@tanstack/react-query';
import { type Schema, useClient } from '../shared/client.tsx';
import { money, number } from '../shared/format.ts';
import { pointsText } from '../shared/points-text.ts';
import { saleTexts } from '../texts/en/sales.ts';
import { tableTexts } from '../texts/en/tables.ts';
import { useShop } from './shop.tsx';

type Answer = Schema['ListTotals'];
type Texts = { count(count: number, shown: string): string; many(most: string): string };
/** A list, of which the totals are shown with its first items. */
type Of = { items: readonly unknown[] | undefined };
type Client = ReturnType<typeof useClient>;
type Query<Name extends keyof Client> = Client[Name] extends (asked: infer Asked) => unknown
  ? Omit<Asked, 'tenantId'>
  : never;

/** What the sales come to that the list has with its filters. */
export function TotalsOfSales(props: { list: Of; query: Query<'sumTransactions'> }) {
  const client = useClient();
  const { tenantId } = useShop();
  const { data } = useQuery({
    queryKey: ['transactions', tenantId, props.query, 'totals'],
    queryFn: () => client.sumTransactions({ tenantId, ...props.query }),
  });
  return <Line list={props.list} answer={data} texts={tableTexts.sales} />;
}

/** What the codes come to that the list has with its filters. */
export function TotalsOfCodes(props: { list: Of; query: Query<'sumTenantRedemptions'> }) {
  const client = useClient();
  const { tenantId } = useShop();
  const { data } = useQuery({
    queryKey: ['codes', tenantId, props.query, 'totals'],
    queryFn: () => client.sumTenantRedemptions({ tenantId, ...props.query }),
  });
  return <Line list={props.list} answer={data} texts={tableTexts.codes} />;
}

/** What the customers have together that the list has with its filters. */
export function TotalsOfCustomers(props: { list: Of; query: Query<'sumConsumers'> }) {
  const client = useClient();
  const { tenantId } = useShop();
  const { data } = useQuery({
    queryKey: ['consumers', tenantId, props.query, 'totals'],
    queryFn: () => client.sumConsumers({ tenantId, ...props.query }),
  });
  return <Line list={props.list} answer={data} texts={tableTexts.customers} />;
}

function Line({ list, answer, texts }: { list: Of; answer: Answer | undefined; texts: Texts }) {
  if (answer === undefined || !list.items?.length) return null;
  const { totals, mostSummed } = answer;
  return (
    <p className="totals">
      {totals === null ? texts.many(number(mostSummed)) : partsOf(totals, texts).join(' · ')}
    </p>
  );
}

function partsOf(totals: NonNullable<Answer['totals']>, texts: Texts): string[] {
  const { count, points, pointsReversed, amounts } = totals;
  const { refunded, reversed } = saleTexts;
  return [
    texts.count(count, number(count)),
    ...amounts.map(({ amountMinorUnits, refundedMinorUnits, currency }) => {
      const amount = money(amountMinorUnits, currency);
      if (refundedMinorUnits === 0) return amount;
      return `${amount} (${refunded(money(refundedMinorUnits, currency))})`;
    }),
    pointsReversed === 0
      ? pointsText(points)
      : `${pointsText(points)} (${reversed(number(pointsReversed))})`,
  ];
}
