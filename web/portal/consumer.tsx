import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { day, money, number } from '../shared/format.ts';
import { Badge, EmptyState, ErrorNotice, Notice, Section, Skeleton } from '../shared/ui/basics.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { Table } from '../shared/ui/lists.tsx';
import { portalTexts } from '../texts/en/portal.ts';
import { CODE_COLUMNS } from './code-columns.tsx';
import { Figure } from './figures.tsx';
import { useShop } from './shop.tsx';
import { useTransactionColumns } from './transaction-table.tsx';

const { consumers: texts } = portalTexts;

/** One who collects points in the shop: the wallet, the last sales and the last codes. */
export default function ConsumerPage() {
  const client = useClient();
  const { tenantId } = useShop();
  const { userId = '' } = useParams();
  const { columns, dialog } = useTransactionColumns();
  const consumer = useQuery({
    queryKey: ['consumer', tenantId, userId],
    queryFn: () => client.showConsumer({ tenantId, userId }),
  });
  if (consumer.data === undefined) {
    return consumer.error === null ? <Skeleton /> : <ErrorNotice error={consumer.error} />;
  }
  const { email, phone, wallet, transactions, redemptions } = consumer.data;
  return (
    <>
      <PageTitle back={{ href: '/consumers', text: texts.back }}>
        {email ?? phone ?? texts.title}
      </PageTitle>
      {wallet.status === 'frozen' && (
        <p>
          <Badge kind="warn">{texts.status.frozen}</Badge>
        </p>
      )}
      {wallet.owed > 0 && <Notice kind="plain">{texts.owed(number(wallet.owed))}</Notice>}
      <Standing consumer={consumer.data} />
      <Section title={texts.transactions}>
        {transactions.length === 0 ? (
          <EmptyState picture="sales" title={texts.noTransactions} />
        ) : (
          <Table
            label={texts.transactions}
            rows={transactions}
            keyOf={({ id }) => id}
            columns={columns.filter(({ title }) => title !== portalTexts.transactions.columns.who)}
          />
        )}
      </Section>
      <Section title={texts.codes}>
        {redemptions.length === 0 ? (
          <EmptyState picture="codes" title={texts.noCodes} />
        ) : (
          <Table
            label={texts.codes}
            rows={redemptions}
            keyOf={({ id }) => id}
            columns={CODE_COLUMNS}
          />
        )}
      </Section>
      {dialog}
    </>
  );
}

/** How many of a customer's sales the service lists at once. */
const LISTED = 20;

/** What a customer is to the shop, in a few figures. */
function Standing({ consumer }: { consumer: Schema['ConsumerDetail'] }) {
  const { wallet, transactions } = consumer;
  const own = transactions.filter(({ currency }) => currency === wallet.currency);
  const spent = own.reduce(
    (sum, { amountMinorUnits, refundedMinorUnits }) => sum + amountMinorUnits - refundedMinorUnits,
    0,
  );
  const [last] = transactions;
  const count = number(transactions.length);
  return (
    <dl className="figures">
      <Figure name={texts.points} value={number(wallet.balance)}>
        {texts.worth(money(wallet.worthMinorUnits, wallet.currency))}
      </Figure>
      <Figure
        name={texts.lastVisit}
        value={last === undefined ? texts.noVisit : day(last.occurredAt)}
      >
        {texts.since} {day(wallet.createdAt)}
      </Figure>
      <Figure
        name={texts.visits}
        value={transactions.length < LISTED ? count : texts.visitsShown(count)}
      />
      {own.length > 0 && (
        <Figure name={texts.spent} value={money(spent, wallet.currency)}>
          {texts.average(money(Math.round(spent / own.length), wallet.currency))}
        </Figure>
      )}
    </dl>
  );
}
