import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { day, money, number } from '../shared/format.ts';
import { pointsText } from '../shared/points-text.ts';
import { Badge, EmptyState, ErrorNotice, Notice, Section, Skeleton } from '../shared/ui/basics.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { Table } from '../shared/ui/lists.tsx';
import { customerTexts as texts } from '../texts/en/customers.ts';
import { saleTexts } from '../texts/en/sales.ts';
import { serviceTexts } from '../texts/en/service.ts';
import { CODE_COLUMNS } from './code-columns.tsx';
import { Figure } from './figures.tsx';
import { Goodwill } from './goodwill.tsx';
import { RESEND_COLUMN } from './resend.tsx';
import { useShop } from './shop.tsx';
import { Timeline } from './timeline.tsx';
import { TRANSACTION_COLUMNS } from './transaction-table.tsx';

/** A page about one who collects points in the shop. */
export default function ConsumerPage() {
  const { userId = '' } = useParams();
  return (
    <CustomerDetails
      userId={userId}
      heading={(name) => (
        <PageTitle back={{ href: '/consumers', text: texts.back }}>{name}</PageTitle>
      )}
    />
  );
}

const SALE_COLUMNS = TRANSACTION_COLUMNS.filter(({ title }) => title !== saleTexts.columns.who);

/** All about a customer: the wallet, what moved points, the last sales and codes. */
export function CustomerDetails(props: {
  userId: string;
  /** Shows how the customer is called. */
  heading(name: string): ReactNode;
  /** What follows that. */
  children?: ReactNode;
}) {
  const { userId } = props;
  const client = useClient();
  const { tenantId } = useShop();
  const consumer = useQuery({
    queryKey: ['consumer', tenantId, userId],
    queryFn: () => client.showConsumer({ tenantId, userId }),
  });
  if (consumer.data === undefined) {
    return consumer.error === null ? <Skeleton /> : <ErrorNotice error={consumer.error} />;
  }
  const { email, phone, wallet, transactions, redemptions, goodwill } = consumer.data;
  return (
    <>
      {props.heading(email ?? phone ?? texts.title)}
      {props.children}
      {wallet.status === 'frozen' && (
        <p>
          <Badge kind="warn">{texts.status.frozen}</Badge>
        </p>
      )}
      <Trouble consumer={consumer.data} />
      <Standing consumer={consumer.data} />
      <Timeline userId={userId} />
      <Section title={texts.codes}>
        {redemptions.length === 0 ? (
          <EmptyState picture="codes" title={texts.noCodes} />
        ) : (
          <Table
            label={texts.codes}
            rows={redemptions}
            keyOf={({ id }) => id}
            columns={[...CODE_COLUMNS, RESEND_COLUMN]}
          />
        )}
      </Section>
      <Section title={texts.transactions}>
        {transactions.length === 0 ? (
          <EmptyState picture="sales" title={texts.noTransactions} />
        ) : (
          <Table
            label={texts.transactions}
            rows={transactions}
            keyOf={({ id }) => id}
            columns={SALE_COLUMNS}
          />
        )}
      </Section>
      <Goodwill userId={userId} last={goodwill} />
    </>
  );
}

/** What keeps points from a customer. */
function Trouble({ consumer }: { consumer: Schema['ConsumerDetail'] }) {
  const { email, emailVerified, phone, phoneVerified, wallet } = consumer;
  const { unverified } = serviceTexts;
  return (
    <>
      {wallet.owed > 0 && <Notice kind="plain">{texts.owed(number(wallet.owed))}</Notice>}
      {email !== null && !emailVerified && <Notice kind="plain">{unverified.email}</Notice>}
      {phone !== null && !phoneVerified && <Notice kind="plain">{unverified.phone}</Notice>}
    </>
  );
}

/** What a customer is to the shop, in a few figures. */
function Standing({ consumer }: { consumer: Schema['ConsumerDetail'] }) {
  const { wallet, visits, tier, expiring } = consumer;
  const { lastVisitAt, firstVisitAt } = visits;
  const { currency } = wallet;
  return (
    <dl className="figures">
      <Figure name={texts.points} value={number(wallet.balance)}>
        {texts.worth(money(wallet.worthMinorUnits, currency))}
        {wallet.pending > 0 && <span>{serviceTexts.pending(pointsText(wallet.pending))}</span>}
        {expiring !== null && (
          <span>{serviceTexts.expiring(pointsText(expiring.points), lastDayOf(expiring))}</span>
        )}
      </Figure>
      <Figure
        name={texts.lastVisit}
        value={lastVisitAt === null ? texts.noVisit : day(lastVisitAt)}
      >
        {texts.since} {day(wallet.createdAt)}
      </Figure>
      <Figure name={texts.visits} value={number(visits.visits)}>
        {firstVisitAt !== null && serviceTexts.firstVisit(day(firstVisitAt))}
      </Figure>
      {visits.visits > 0 && (
        <Figure name={serviceTexts.spent} value={money(visits.yearMinorUnits, currency)}>
          {texts.average(money(visits.averageMinorUnits, currency))}
        </Figure>
      )}
      {tier !== null && <Figure name={serviceTexts.tier} value={tier} />}
    </dl>
  );
}

/** The last day on which points can be used: they expire with the midnight after it. */
function lastDayOf({ expiresAt }: { expiresAt: string }): string {
  return day(new Date(Date.parse(expiresAt) - 1).toISOString());
}
