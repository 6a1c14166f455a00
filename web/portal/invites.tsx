import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Schema, useClient, useServiceClock } from '../shared/client.tsx';
import { day } from '../shared/format.ts';
import {
  Button,
  CommandNotice,
  ErrorNotice,
  Moment,
  Notice,
  Section,
} from '../shared/ui/basics.tsx';
import { PagedTable } from '../shared/ui/lists.tsx';
import { useToast } from '../shared/ui/toast.tsx';
import { usePages } from '../shared/use-pages.ts';
import { useSubmit } from '../shared/use-submit.ts';
import { teamTexts as texts } from '../texts/en/team.ts';
import { useShop } from './shop.tsx';

const { columns } = texts;
const DAY_MS = 24 * 3_600_000;
const OPEN_DAYS = 30;

type Invite = Schema['StoreOperatorInvite'];

/** The invites that wait for an answer; nothing of them while there are none. */
export function Invites() {
  const client = useClient();
  const { tenantId } = useShop();
  const say = useToast();
  const clock = useServiceClock();
  const queries = useQueryClient();
  const list = usePages(['invites', tenantId], () =>
    client.all.listStoreOperatorInvites({ tenantId }),
  );
  const changes = [['invites']];
  const withdraw = useSubmit({
    send: ({ id: inviteId }: Invite, attempt) =>
      client.withdrawStoreOperatorInvite({ tenantId, inviteId }, attempt),
    changes,
    onDone: (_, { email }) => say(texts.withdrawn(email)),
  });
  const [lost, setLost] = useState<string>();
  const again = useSubmit({
    send: async ({ id: inviteId, email }: Invite, attempt) => {
      setLost(undefined);
      await client.withdrawStoreOperatorInvite({ tenantId, inviteId }, { signal: attempt.signal });
      try {
        return await client.inviteStoreOperator({ tenantId, body: { email } }, attempt);
      } catch (error) {
        setLost(email);
        void queries.invalidateQueries({ queryKey: ['invites'] });
        throw error;
      }
    },
    changes,
    onDone: ({ email }) => say(texts.sentAgain(email)),
  });
  const notices = (
    <>
      <CommandNotice command={withdraw} />
      <CommandNotice command={again} />
      {lost !== undefined && <Notice kind="bad">{texts.lost(lost)}</Notice>}
    </>
  );
  if (list.items === undefined || list.items.length === 0) {
    return (
      <>
        <ErrorNotice error={list.error} />
        {notices}
      </>
    );
  }
  const isOld = ({ createdAt }: Invite) => clock.now() - Date.parse(createdAt) > DAY_MS;
  return (
    <Section title={texts.invites}>
      {notices}
      <PagedTable
        list={list}
        empty={null}
        label={texts.invites}
        keyOf={({ id }) => id}
        columns={[
          { title: columns.who, cell: ({ email }) => email },
          { title: columns.sent, cell: ({ createdAt }) => <Moment iso={createdAt} /> },
          { title: columns.lapses, cell: ({ createdAt }) => lapseDay(createdAt) },
          {
            title: columns.actions,
            cell: (invite) => (
              <div className="button-row">
                {isOld(invite) && (
                  <Button
                    size="small"
                    isRunning={again.isRunning}
                    aria-label={texts.againOf(invite.email)}
                    onClick={() => again.submit(invite)}
                  >
                    {texts.again}
                  </Button>
                )}
                <Button
                  size="small"
                  isRunning={withdraw.isRunning}
                  aria-label={texts.withdrawOf(invite.email)}
                  onClick={() => withdraw.submit(invite)}
                >
                  {texts.withdraw}
                </Button>
              </div>
            ),
          },
        ]}
      />
      <p className="hint">{texts.againHint}</p>
    </Section>
  );
}

function lapseDay(createdAt: string): string {
  return day(new Date(Date.parse(createdAt) + OPEN_DAYS * DAY_MS).toISOString());
}
