import { useClient } from '../shared/client.tsx';
import { AuditList } from '../shared/ui/audit-list.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { usePages } from '../shared/use-pages.ts';
import { auditTexts as texts } from '../texts/en/audit.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { useShop } from './shop.tsx';

/** What was done in the shop and by whom, the newest first. */
export default function HistoryPage() {
  const client = useClient();
  const { tenantId } = useShop();
  const list = usePages(['history', tenantId], () => client.all.listTenantAuditLogs({ tenantId }));
  return (
    <>
      <PageTitle>{portalTexts.pages.history}</PageTitle>
      <AuditList list={list} empty={texts.empty}>
        {({ actorUserId, actorEmail }) =>
          actorUserId === null ? texts.ops : (actorEmail ?? texts.administrator)
        }
      </AuditList>
    </>
  );
}
