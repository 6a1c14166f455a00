import { useState } from 'react';
import { type Schema, useClient } from '../shared/client.tsx';
import { colleagueName } from '../shared/colleague.ts';
import { number } from '../shared/format.ts';
import { Button, EmptyState, Moment, Section } from '../shared/ui/basics.tsx';
import { FormDialog } from '../shared/ui/dialog.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { PagedTable } from '../shared/ui/lists.tsx';
import { useToast } from '../shared/ui/toast.tsx';
import { usePages } from '../shared/use-pages.ts';
import { useSubmit } from '../shared/use-submit.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { teamTexts as texts } from '../texts/en/team.ts';
import { Attachments } from './attachments.tsx';
import { InviteStaff } from './invite-staff.tsx';
import { Invites } from './invites.tsx';
import { useShop } from './shop.tsx';

const { columns } = texts;

type Operator = Schema['StoreOperator'];

/** Those who stand at the till, and those who are asked to. */
export default function PeoplePage() {
  return (
    <>
      <PageTitle action={<InviteStaff />}>{portalTexts.pages.people}</PageTitle>
      <Staff />
      <Invites />
      <Attachments />
    </>
  );
}

function Staff() {
  const client = useClient();
  const { tenantId } = useShop();
  const say = useToast();
  const [leaving, setLeaving] = useState<Operator>();
  const operators = usePages(['operators', tenantId], () =>
    client.all.listStoreOperators({ tenantId }),
  );
  const remove = useSubmit({
    send: ({ userId }: Operator, attempt) =>
      client.removeStoreOperator({ tenantId, userId }, attempt),
    changes: [['operators'], ['invites']],
    onDone: (_, removed) => {
      say(texts.removed(nameOf(removed)));
      setLeaving(undefined);
    },
  });
  return (
    <Section title={texts.staff}>
      <PagedTable
        list={operators}
        empty={<EmptyState picture="team" title={texts.noStaff} text={texts.noStaffText} />}
        label={texts.staff}
        keyOf={({ userId }) => userId}
        columns={[
          { title: columns.name, cell: ({ name }) => name ?? portalTexts.none },
          { title: columns.who, cell: ({ email }) => email ?? portalTexts.none },
          { title: columns.since, cell: ({ joinedAt }) => <Moment iso={joinedAt} /> },
          {
            title: columns.attached,
            cell: ({ attached30Days }) => number(attached30Days),
            isNumber: true,
          },
          {
            title: columns.actions,
            cell: (operator) => (
              <Button
                size="small"
                aria-label={texts.removeOf(nameOf(operator))}
                onClick={() => setLeaving(operator)}
              >
                {texts.remove}
              </Button>
            ),
          },
        ]}
      />
      <FormDialog
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={texts.removeTitle(leaving === undefined ? '' : nameOf(leaving))}
        submit={texts.remove}
        kind="danger"
        command={remove}
        onSubmit={() => leaving && remove.submit(leaving)}
      >
        <p>{texts.removeWhat}</p>
      </FormDialog>
    </Section>
  );
}

const nameOf = (operator: Operator) => colleagueName(operator, portalTexts.none);
