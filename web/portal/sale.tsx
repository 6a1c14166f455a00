import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Schema, useClient } from '../shared/client.tsx';
import { money, number } from '../shared/format.ts';
import { providers } from '../shared/providers.ts';
import { Button, ErrorNotice, Moment, Skeleton } from '../shared/ui/basics.tsx';
import { Explanation } from '../shared/ui/explanation.tsx';
import { MemberField } from '../shared/ui/member-field.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { saleTexts } from '../texts/en/sales.ts';
import { tableTexts } from '../texts/en/tables.ts';
import { teamTexts } from '../texts/en/team.ts';
import { CustomerLink, type Fact, Facts } from './facts.tsx';
import { useShop } from './shop.tsx';
import { OutcomeOf } from './transaction-table.tsx';

const texts = saleTexts;
const { columns } = texts;
const { attach } = teamTexts;

type Sale = Schema['Transaction'];

/** All about a sale: what it was, what it earned and why, and what can be done about it. */
export function SaleDetails({ transactionId }: { transactionId: string }) {
  const client = useClient();
  const { tenantId } = useShop();
  const sale = useQuery({
    queryKey: ['transactions', tenantId, 'one', transactionId],
    queryFn: () => client.showTransaction({ tenantId, transactionId }),
  });
  const explained = useQuery({
    queryKey: ['explanation', transactionId],
    queryFn: () => client.explainTransaction({ tenantId, transactionId }),
  });
  if (sale.data === undefined) {
    return sale.error === null ? <Skeleton /> : <ErrorNotice error={sale.error} />;
  }
  return (
    <>
      <Facts facts={factsOf(sale.data)} />
      <h3>{texts.why}</h3>
      <Explanation to="merchant" explained={explained} />
      {explained.data?.outcomeReason === 'no_contacts' && <Attach transactionId={transactionId} />}
    </>
  );
}

function factsOf(sale: Sale): Fact[] {
  const { amountMinorUnits, refundedMinorUnits, currency, consumer, pointsReversed } = sale;
  return [
    [columns.when, <Moment key="when" iso={sale.occurredAt} />],
    [columns.amount, money(amountMinorUnits, currency)],
    [tableTexts.refunded, refundedMinorUnits > 0 && money(refundedMinorUnits, currency)],
    [columns.who, <CustomerLink key="who" consumer={consumer} />],
    [columns.outcome, <OutcomeOf key="outcome" transaction={sale} />],
    [columns.points, number(sale.pointsAwarded)],
    [tableTexts.reversed, pointsReversed > 0 && number(pointsReversed)],
    [tableTexts.owed, sale.pointsOwed > 0 && number(sale.pointsOwed)],
    [tableTexts.provider, providers[sale.provider].label],
    [texts.id, sale.providerPaymentId],
  ];
}

/** Gives a sale that named nobody to the customer who shows the member number. */
function Attach({ transactionId }: { transactionId: string }) {
  const client = useClient();
  const { tenantId } = useShop();
  const [member, setMember] = useState('');
  const command = useSubmit({
    send: (number: string, { signal }) =>
      client.attachSaleByMerchant(
        { tenantId, body: { transactionId, member: number } },
        { signal },
      ),
    changes: [
      ['explanation', transactionId],
      ['transactions', tenantId],
      ['attachments', tenantId],
      ['consumer', tenantId],
      ['consumers', tenantId],
      ['statistics', tenantId],
    ],
  });
  return (
    <form
      className="section"
      onSubmit={(event) => {
        event.preventDefault();
        command.submit(member);
      }}
    >
      <h3>{attach.title}</h3>
      <MemberField
        label={attach.number}
        hint={attach.how}
        unknown={attach.unknown}
        value={member}
        onText={setMember}
        command={command}
      />
      <Button type="submit" isRunning={command.isRunning}>
        {attach.submit}
      </Button>
    </form>
  );
}
