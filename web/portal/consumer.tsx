import { useQuery } from '@tanstack/react-query';
import { useParams } from 'wouter';
import { useClient } from '../shared/client.tsx';
import { money, number } from '../shared/format.ts';
import { Badge, ErrorNotice, Points, Section, Skeleton } from '../shared/ui/basics.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { Table } from '../shared/ui/lists.tsx';
import { portalTexts } from '../texts/portal.ts';
import { CODE_COLUMNS } from './code-columns.tsx';
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
      <div className="card">
        <p className="figure-value">
          <Points points={wallet.balance} />
        </p>
        <p className="muted">{texts.worth(money(wallet.worthMinorUnits, wallet.currency))}</p>
        {wallet.owed > 0 && <p>{texts.owed(number(wallet.owed))}</p>}
        {wallet.status === 'frozen' && <Badge kind="warn">{texts.status.frozen}</Badge>}
      </div>
      <Section title={texts.transactions}>
        {transactions.length === 0 ? (
          <p className="empty">{texts.noTransactions}</p>
        ) : (
          <Table
            label={texts.transactions}
            rows={transactions}
            keyOf={({ id }) => id}
            columns={columns}
          />
        )}
      </Section>
      <Section title={texts.codes}>
        {redemptions.length === 0 ? (
          <p className="empty">{texts.noCodes}</p>
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
