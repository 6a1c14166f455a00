import { useClient } from '../shared/client.tsx';
import { keysOf } from '../shared/keys-of.ts';
import { periodOf } from '../shared/period.ts';
import { AuditList } from '../shared/ui/audit-list.tsx';
import { CsvButton } from '../shared/ui/csv.tsx';
import { SelectField } from '../shared/ui/fields.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { ClocksNote, PeriodFields } from '../shared/ui/period.tsx';
import { useFilters } from '../shared/use-filters.ts';
import { usePages } from '../shared/use-pages.ts';
import { auditTexts as texts } from '../texts/en/audit.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { useShop } from './shop.tsx';

const ALL = 'all';
const ACTIONS = keysOf(texts.actions);

/** What was done in the shop and by whom, the newest first. */
export default function HistoryPage() {
  const client = useClient();
  const { tenantId, currency } = useShop();
  const filters = useFilters();
  const action = filters.choice('action', ACTIONS);
  const period = filters.period('all');
  const query = { ...(action !== undefined && { action }), ...periodOf(period.days) };
  const list = usePages(
    ['history', tenantId, query],
    () => client.all.listTenantAuditLogs({ tenantId, ...query }),
    // Nearly every command adds to it.
    { staleTime: 0 },
  );
  return (
    <>
      <PageTitle>{portalTexts.pages.history}</PageTitle>
      <search className="filters" aria-label={texts.filters}>
        <SelectField
          label={texts.action}
          value={action ?? ALL}
          options={[
            { value: ALL, text: texts.anything },
            ...ACTIONS.map((value) => ({ value, text: texts.actions[value] })),
          ]}
          onValue={(value) => filters.put({ action: value === ALL ? '' : value })}
        />
        <PeriodFields period={period} filters={filters} />
      </search>
      <CsvButton
        name="history"
        get={({ query: form, ...asked }) =>
          client.http.GET('/api/v1/client/tenants/{tenantId}/audit-logs', {
            params: { path: { tenantId }, query: { ...query, ...form } },
            ...asked,
          })
        }
      />
      <AuditList list={list} empty={texts.empty} currencyOf={() => currency}>
        {({ actorUserId, actorEmail }) =>
          actorUserId === null ? texts.ops : (actorEmail ?? texts.administrator)
        }
      </AuditList>
      <ClocksNote />
    </>
  );
}
