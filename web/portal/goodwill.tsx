import { useState } from 'react';
import { Link } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { moment, money } from '../shared/format.ts';
import { pointsText } from '../shared/points-text.ts';
import { Badge, Button, CommandNotice, Moment, Section } from '../shared/ui/basics.tsx';
import { FormDialog } from '../shared/ui/dialog.tsx';
import { LongTextField, TextField } from '../shared/ui/fields.tsx';
import { PagedTable } from '../shared/ui/lists.tsx';
import { usePages } from '../shared/use-pages.ts';
import { useSubmit } from '../shared/use-submit.ts';
import { serviceTexts } from '../texts/en/service.ts';
import { nameOf } from './customer-name.ts';
import { useShop } from './shop.tsx';

const { goodwill: texts } = serviceTexts;

type Request = Schema['GoodwillRequest'];

const KINDS = { open: 'warn', granted: 'good', declined: 'bad', withdrawn: 'plain' } as const;
const useChanges = () => {
  const { tenantId } = useShop();
  return [
    ['consumer', tenantId],
    ['goodwill', tenantId],
  ];
};

/** Points for a customer that somebody of the service has to grant, and what became of them. */
export function Goodwill(props: { userId: string; last: Request | null }) {
  const { userId, last } = props;
  const isOpen = last?.status === 'open';
  return (
    <Section title={texts.title}>
      {last === null ? (
        <p className="muted">{texts.what}</p>
      ) : (
        <div role="status">
          <p>
            <Badge kind={KINDS[last.status]}>{texts.statuses[last.status]}</Badge>{' '}
            {texts.askedAt(pointsText(last.points), moment(last.createdAt))}
          </p>
          {last.reason !== null && <p className="muted">{last.reason}</p>}
          {last.answer !== null && <p>{last.answer}</p>}
        </div>
      )}
      {isOpen ? <Withdraw id={last.id} /> : <Ask userId={userId} />}
    </Section>
  );
}

const isNumber = (text: string) => /^[1-9]\d{0,4}$|^100000$/.test(text.trim());

function Ask({ userId }: { userId: string }) {
  const client = useClient();
  const { tenantId, currency } = useShop();
  const [isOpen, setOpen] = useState(false);
  const [points, setPoints] = useState('');
  const [reason, setReason] = useState('');
  const ask = useSubmit({
    send: (body: { points: number; reason: string }, attempt) =>
      client.askForGoodwill({ tenantId, userId, body }, attempt),
    changes: useChanges(),
    onDone: () => {
      setOpen(false);
      setPoints('');
      setReason('');
    },
  });
  const isRight = isNumber(points);
  return (
    <>
      <div>
        <Button icon="gift" onClick={() => setOpen(true)}>
          {texts.open}
        </Button>
      </div>
      <FormDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={texts.dialog}
        submit={texts.submit}
        command={ask}
        onSubmit={() => {
          if (isRight) ask.submit({ points: Number(points), reason: reason.trim() });
        }}
      >
        <TextField
          label={texts.points}
          hint={isRight ? texts.worth(money(Number(points), currency)) : undefined}
          problem={points === '' || isRight ? undefined : texts.wrongPoints}
          inputMode="numeric"
          autoComplete="off"
          required
          value={points}
          onText={setPoints}
        />
        <LongTextField
          label={texts.reason}
          hint={texts.reasonHint}
          required
          maxLength={500}
          value={reason}
          onText={setReason}
        />
      </FormDialog>
    </>
  );
}

function Withdraw({ id: goodwillId }: Pick<Request, 'id'>) {
  const client = useClient();
  const { tenantId } = useShop();
  const withdraw = useSubmit({
    send: (_: null, attempt) => client.withdrawGoodwill({ tenantId, goodwillId }, attempt),
    changes: useChanges(),
  });
  return (
    <div>
      <Button isRunning={withdraw.isRunning} onClick={() => withdraw.submit(null)}>
        {texts.withdraw}
      </Button>
      <CommandNotice command={withdraw} />
    </div>
  );
}

/** What the shop has asked for, and the answers, once there is something. */
export function GoodwillList() {
  const client = useClient();
  const { tenantId } = useShop();
  const list = usePages(['goodwill', tenantId], () => client.all.listGoodwill({ tenantId }));
  if (list.items === undefined || list.items.length === 0) return null;
  return (
    <Section title={texts.list}>
      <PagedTable
        list={list}
        empty={null}
        label={texts.list}
        keyOf={({ id }) => id}
        columns={[
          { title: texts.when, cell: ({ createdAt }) => <Moment iso={createdAt} /> },
          {
            title: texts.who,
            cell: ({ consumer }) => (
              <Link href={`/consumers/${consumer.userId}`}>{nameOf(consumer)}</Link>
            ),
          },
          { title: texts.points, cell: ({ points }) => pointsText(points), isNumber: true },
          {
            title: texts.status,
            cell: ({ status, answer }) => (
              <>
                <Badge kind={KINDS[status]}>{texts.statuses[status]}</Badge>
                {answer !== null && <span className="muted"> {answer}</span>}
              </>
            ),
          },
        ]}
      />
    </Section>
  );
}
