import { Link } from 'wouter';
import { useClient } from '../shared/client.tsx';
import { colleagueName } from '../shared/colleague.ts';
import { moment, number } from '../shared/format.ts';
import { Moment, Section } from '../shared/ui/basics.tsx';
import { PagedTable } from '../shared/ui/lists.tsx';
import { usePages } from '../shared/use-pages.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { teamTexts } from '../texts/en/team.ts';
import { useShop } from './shop.tsx';

const { attachments: texts } = teamTexts;

/** Who attached which sales to whom, once there is one. */
export function Attachments() {
  const client = useClient();
  const { tenantId } = useShop();
  const list = usePages(['attachments', tenantId], () => client.all.listAttachments({ tenantId }));
  if (list.items === undefined || list.items.length === 0) return null;
  return (
    <Section title={texts.title}>
      <p className="muted">{texts.what}</p>
      <PagedTable
        list={list}
        empty={null}
        label={texts.title}
        keyOf={({ transactionId }) => transactionId}
        columns={[
          { title: texts.when, cell: ({ createdAt }) => <Moment iso={createdAt} /> },
          { title: texts.who, cell: ({ operator }) => colleagueName(operator, portalTexts.none) },
          {
            title: texts.customer,
            cell: ({ userId, createdAt }) => (
              <Link href={`/consumers/${userId}`} aria-label={texts.lookAt(moment(createdAt))}>
                {texts.look}
              </Link>
            ),
          },
          { title: texts.points, cell: ({ points }) => number(points), isNumber: true },
          {
            title: texts.often,
            cell: ({ byOperatorForMember30Days }) => number(byOperatorForMember30Days),
            isNumber: true,
          },
        ]}
      />
    </Section>
  );
}
