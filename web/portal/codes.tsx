import { useState } from 'react';
import { type Schema, useClient } from '../shared/client.tsx';
import { ButtonLink, EmptyState } from '../shared/ui/basics.tsx';
import { SelectField } from '../shared/ui/fields.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { PagedTable } from '../shared/ui/lists.tsx';
import { usePages } from '../shared/use-pages.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { CODES_OF_ALL } from './code-columns.tsx';
import { useShop } from './shop.tsx';

const { codes: texts } = portalTexts;
const ALL = 'all';
const STATUSES = ['issued', 'used', 'expired'] as const;

type Status = Schema['ShopRedemption']['status'];

/** Every code for the shop: open, used, expired or cancelled. */
export default function CodesPage() {
  const client = useClient();
  const { tenantId } = useShop();
  const [status, setStatus] = useState<Status | typeof ALL>(ALL);
  const list = usePages(['codes', tenantId, status], () =>
    client.all.listTenantRedemptions({ tenantId, ...(status !== ALL && { status }) }),
  );
  return (
    <>
      <PageTitle action={<ButtonLink href="/day">{texts.day}</ButtonLink>}>
        {portalTexts.pages.codes}
      </PageTitle>
      <SelectField
        label={texts.filter}
        value={status}
        options={[
          { value: ALL, text: texts.all },
          ...STATUSES.map((value) => ({ value, text: texts.status[value] })),
        ]}
        onValue={setStatus}
      />
      <PagedTable
        list={list}
        empty={
          status === ALL ? (
            <EmptyState picture="codes" title={texts.empty} text={texts.emptyText} />
          ) : (
            texts.emptyFilter
          )
        }
        label={texts.list}
        keyOf={({ id }) => id}
        columns={CODES_OF_ALL}
      />
    </>
  );
}
