import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type Schema, useClient } from '../shared/client.tsx';
import {
  Button,
  EmptyState,
  ErrorNotice,
  Notice,
  Section,
  Skeleton,
} from '../shared/ui/basics.tsx';
import { TextField } from '../shared/ui/fields.tsx';
import { Table } from '../shared/ui/lists.tsx';
import { serviceTexts } from '../texts/en/service.ts';
import { CODES_OF_ALL } from './code-columns.tsx';
import { useCustomerColumns } from './customer-columns.tsx';
import { RESEND_COLUMN } from './resend.tsx';
import { useShop } from './shop.tsx';
import { TRANSACTION_COLUMNS } from './transaction-table.tsx';

const { search: texts } = serviceTexts;

type Found = Schema['FoundByMerchant'];

/** What is typed into a search, and what of it was searched for. */
export function useShopSearch() {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  return { text, setText, asked, setAsked };
}

type Search = ReturnType<typeof useShopSearch>;

/**
 * Finds what somebody says at the counter, in place of what else the page shows. It stays out of
 * the page's address, and is forgotten with the page.
 */
export function ShopSearch({ search, children }: { search: Search; children?: ReactNode }) {
  const client = useClient();
  const { tenantId } = useShop();
  const { text, setText, asked, setAsked } = search;
  const found = useQuery({
    // Read again with the sales, when one of them is given to somebody.
    queryKey: ['transactions', tenantId, 'search', asked],
    queryFn: ({ signal }) => client.searchShop({ tenantId, body: { text: asked } }, { signal }),
    enabled: asked !== '',
    gcTime: 0,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (asked !== '' && asked === text.trim()) void found.refetch();
    setAsked(text.trim());
  };
  const clear = () => {
    setText('');
    setAsked('');
  };
  return (
    <>
      <search>
        <form className="shop-search" onSubmit={submit}>
          <TextField
            label={texts.label}
            hint={texts.hint}
            type="search"
            autoComplete="off"
            maxLength={320}
            value={text}
            onText={setText}
          />
          <Button type="submit" kind="primary" icon="search">
            {texts.submit}
          </Button>
        </form>
      </search>
      {asked === '' ? (
        children
      ) : (
        <>
          <ErrorNotice error={found.error} />
          {found.isLoading && <Skeleton shape="rows" />}
          {found.data !== undefined && <Results found={found.data} />}
          {children !== undefined && (
            <p>
              <Button onClick={clear}>{texts.clear}</Button>
            </p>
          )}
        </>
      )}
    </>
  );
}

function Results({ found }: { found: Found }) {
  const { readAs, consumers, transactions, redemptions } = found;
  const customerColumns = useCustomerColumns();
  const codeColumns = [...CODES_OF_ALL, RESEND_COLUMN];
  if (consumers.length + transactions.length + redemptions.length === 0) {
    return <EmptyState title={texts.none} text={adviceOn(readAs)} />;
  }
  const reasons = transactions.map(({ outcomeReason }) => outcomeReason);
  return (
    <>
      {consumers.length > 0 && (
        <Section title={texts.customers}>
          <Table
            label={texts.customers}
            rows={consumers}
            keyOf={({ walletId }) => walletId}
            columns={customerColumns}
          />
        </Section>
      )}
      {transactions.length > 0 && (
        <Section title={texts.sales}>
          {reasons.includes('no_match') && <Notice kind="plain">{texts.waiting}</Notice>}
          {reasons.includes('no_contacts') && <Notice kind="plain">{texts.anonymous}</Notice>}
          <Table
            label={texts.sales}
            rows={transactions}
            keyOf={({ id }) => id}
            columns={TRANSACTION_COLUMNS}
          />
        </Section>
      )}
      {redemptions.length > 0 && (
        <Section title={texts.codes}>
          <Table
            label={texts.codes}
            rows={redemptions}
            keyOf={({ id }) => id}
            columns={codeColumns}
          />
        </Section>
      )}
    </>
  );
}

const OF_PEOPLE: readonly Found['readAs'][number][] = ['email', 'phone', 'memberNumber'];

/** What to try next, by what the text was read as. */
function adviceOn(readAs: Found['readAs']): string {
  if (readAs.some((name) => OF_PEOPLE.includes(name))) return texts.nonePerson;
  return readAs.length > 0 ? texts.noneSale : texts.noneOther;
}
