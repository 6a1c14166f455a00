import { useState } from 'react';
import { type Schema, useClient } from '../shared/client.tsx';
import { Badge, Button, Moment, Notice, Section } from '../shared/ui/basics.tsx';
import { FormDialog } from '../shared/ui/dialog.tsx';
import { TextField } from '../shared/ui/fields.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { PagedTable } from '../shared/ui/lists.tsx';
import { usePages } from '../shared/use-pages.ts';
import { useSubmit } from '../shared/use-submit.ts';
import { portalTexts } from '../texts/portal.ts';
import { useShop } from './shop.tsx';

const { people: texts } = portalTexts;
const { columns } = texts;

type Operator = Schema['StoreOperator'];

/** Those who stand at the till, and those who are asked to. */
export default function PeoplePage() {
  const [invited, setInvited] = useState<string>();
  return (
    <>
      <PageTitle action={<Invite onInvited={setInvited} />}>{portalTexts.pages.people}</PageTitle>
      {invited !== undefined && <Notice kind="good">{texts.sent(invited)}</Notice>}
      <Operators />
      <Invites />
    </>
  );
}

function Operators() {
  const client = useClient();
  const { tenantId } = useShop();
  const [leaving, setLeaving] = useState<Operator>();
  const operators = usePages(['operators', tenantId], () =>
    client.all.listStoreOperators({ tenantId }),
  );
  const remove = useSubmit({
    send: (userId: string) => client.removeStoreOperator({ tenantId, userId }),
    changes: [['operators']],
    onDone: () => setLeaving(undefined),
  });
  return (
    <Section title={texts.operators}>
      <PagedTable
        list={operators}
        empty={texts.noOperators}
        label={texts.operators}
        keyOf={({ userId }) => userId}
        columns={[
          { title: columns.who, cell: ({ email }) => email ?? portalTexts.none },
          { title: columns.since, cell: ({ joinedAt }) => <Moment iso={joinedAt} /> },
          {
            title: columns.actions,
            cell: (operator) => (
              <Button size="small" onClick={() => setLeaving(operator)}>
                {texts.remove}
              </Button>
            ),
          },
        ]}
      />
      <FormDialog
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={texts.removeTitle(leaving?.email ?? portalTexts.none)}
        submit={texts.remove}
        kind="danger"
        isRunning={remove.isRunning}
        error={remove.error}
        onSubmit={() => leaving && remove.submit(leaving.userId)}
      >
        <p>{texts.removeWhat}</p>
      </FormDialog>
    </Section>
  );
}

function Invites() {
  const client = useClient();
  const { tenantId } = useShop();
  const invites = usePages(['invites', tenantId], () =>
    client.all.listStoreOperatorInvites({ tenantId }),
  );
  const withdraw = useSubmit({
    send: (inviteId: string) => client.withdrawStoreOperatorInvite({ tenantId, inviteId }),
    changes: [['invites']],
  });
  return (
    <Section title={texts.invites}>
      <PagedTable
        list={invites}
        empty={texts.noInvites}
        label={texts.invites}
        keyOf={({ id }) => id}
        columns={[
          { title: columns.who, cell: ({ email }) => email },
          { title: columns.since, cell: ({ createdAt }) => <Moment iso={createdAt} /> },
          {
            title: columns.status,
            cell: ({ status }) => (
              <Badge kind={status === 'pending' ? 'warn' : 'plain'}>
                {texts.inviteStatus[status]}
              </Badge>
            ),
          },
          {
            title: columns.actions,
            cell: ({ id, email, status }) =>
              status === 'pending' && (
                <Button
                  size="small"
                  isRunning={withdraw.isRunning}
                  aria-label={texts.withdrawOf(email)}
                  onClick={() => withdraw.submit(id)}
                >
                  {texts.withdraw}
                </Button>
              ),
          },
        ]}
      />
    </Section>
  );
}

function Invite({ onInvited }: { onInvited(email: string): void }) {
  const client = useClient();
  const { tenantId } = useShop();
  const [isOpen, setOpen] = useState(false);
  const [email, setEmail] = useState('');
  const invite = useSubmit({
    send: (address: string, attempt) =>
      client.inviteStoreOperator({ tenantId, body: { email: address } }, attempt),
    changes: [['invites']],
    onDone: (answer) => {
      onInvited(answer.email);
      setEmail('');
      setOpen(false);
    },
  });
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        {texts.invite}
      </Button>
      <FormDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={texts.inviteTitle}
        submit={texts.submit}
        isRunning={invite.isRunning}
        error={invite.error}
        onSubmit={() => invite.submit(email)}
      >
        <TextField
          label={texts.email}
          hint={texts.emailHint}
          type="email"
          autoComplete="off"
          required
          value={email}
          onText={setEmail}
        />
      </FormDialog>
    </>
  );
}
