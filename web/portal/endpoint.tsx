import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { moment, number } from '../shared/format.ts';
import {
  Badge,
  Button,
  CommandNotice,
  ErrorNotice,
  Moment,
  Notice,
  Section,
  Skeleton,
} from '../shared/ui/basics.tsx';
import { FormDialog } from '../shared/ui/dialog.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { PagedTable } from '../shared/ui/lists.tsx';
import { usePages } from '../shared/use-pages.ts';
import { type Command, useSubmit } from '../shared/use-submit.ts';
import { webhookTexts as texts } from '../texts/en/webhooks.ts';
import { SecretDialog } from './secret.tsx';
import { useShop } from './shop.tsx';

const { columns } = texts;
const KINDS = { pending: 'warn', delivered: 'good', failed: 'bad' } as const;

type Endpoint = Schema['WebhookEndpoint'];
type Delivery = Schema['WebhookDelivery'];
type Question = 'rotate' | 'delete';

/** One endpoint: how it is, what it was sent, and what can be done about it. */
export default function EndpointPage() {
  const client = useClient();
  const { tenantId } = useShop();
  const { endpointId = '' } = useParams();
  const endpoint = useQuery({
    queryKey: ['endpoints', tenantId, endpointId],
    queryFn: () => client.showWebhookEndpoint({ tenantId, endpointId }),
  });
  if (endpoint.data === undefined) {
    return endpoint.error === null ? <Skeleton /> : <ErrorNotice error={endpoint.error} />;
  }
  return (
    <>
      <PageTitle back={{ href: '/webhooks', text: texts.back }}>{endpoint.data.url}</PageTitle>
      <Standing endpoint={endpoint.data} />
      <Deliveries endpointId={endpointId} />
    </>
  );
}

function Standing({ endpoint }: { endpoint: Endpoint }) {
  const { status, disabledReason, types } = endpoint;
  return (
    <>
      <p>
        <Badge kind={status === 'active' ? 'good' : 'bad'}>{texts.status[status]}</Badge>{' '}
        {disabledReason !== null && texts.reasons[disabledReason]}
      </p>
      <p className="muted">{types?.join(', ') ?? texts.everything}</p>
      <Commands endpoint={endpoint} />
    </>
  );
}

function Commands({ endpoint: { id: endpointId, status } }: { endpoint: Endpoint }) {
  const client = useClient();
  const { tenantId } = useShop();
  const [, navigate] = useLocation();
  const [asked, setAsked] = useState<Question>();
  const [secret, setSecret] = useState<string>();
  const at = { tenantId, endpointId };
  const changes = [['endpoints']];
  const test = useSubmit({
    send: (_: undefined, attempt) => client.testWebhookEndpoint(at, attempt),
    changes: [],
  });
  const toggle = useSubmit({
    send: (wanted: Endpoint['status'], attempt) =>
      client.updateWebhookEndpoint({ ...at, body: { status: wanted } }, attempt),
    changes,
  });
  const rotate = useSubmit({
    send: (_: undefined, attempt) => client.rotateWebhookSecret(at, attempt),
    changes,
    onDone: (rotated) => {
      setAsked(undefined);
      setSecret(rotated.secret);
    },
  });
  const remove = useSubmit({
    send: (_: undefined, attempt) => client.deleteWebhookEndpoint(at, attempt),
    // Not the endpoint itself, which is not found from now on.
    changes: [['endpoints', tenantId, 'list']],
    onDone: () => navigate('/webhooks'),
  });
  const isActive = status === 'active';
  return (
    <>
      <div className="button-row">
        <Button isRunning={test.isRunning} onClick={() => test.submit(undefined)}>
          {texts.test}
        </Button>
        <Button
          isRunning={toggle.isRunning}
          onClick={() => toggle.submit(isActive ? 'disabled' : 'active')}
        >
          {isActive ? texts.disable : texts.enable}
        </Button>
        <Button onClick={() => setAsked('rotate')}>{texts.rotate}</Button>
        <Button kind="danger" onClick={() => setAsked('delete')}>
          {texts.delete}
        </Button>
      </div>
      {test.result !== undefined && <Notice kind="good">{texts.tested}</Notice>}
      <CommandNotice command={test} />
      <CommandNotice command={toggle} />
      <Confirm
        isOpen={asked === 'rotate'}
        onClose={() => setAsked(undefined)}
        texts={{ title: texts.rotateTitle, what: texts.rotateWhat, submit: texts.rotate }}
        command={rotate}
      />
      <Confirm
        isOpen={asked === 'delete'}
        onClose={() => setAsked(undefined)}
        texts={{ title: texts.deleteTitle, what: texts.deleteWhat, submit: texts.delete }}
        isDangerous
        command={remove}
      />
      <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
    </>
  );
}

function Confirm(props: {
  isOpen: boolean;
  onClose(): void;
  texts: { title: string; what: string; submit: string };
  isDangerous?: boolean;
  command: Command & { submit(input: undefined): void };
}) {
  const { isOpen, onClose, isDangerous = false, command } = props;
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={props.texts.title}
      submit={props.texts.submit}
      kind={isDangerous ? 'danger' : 'primary'}
      command={command}
      onSubmit={() => command.submit(undefined)}
    >
      <p>{props.texts.what}</p>
    </FormDialog>
  );
}

function Deliveries({ endpointId }: { endpointId: string }) {
  const client = useClient();
  const { tenantId } = useShop();
  const at = { tenantId, endpointId };
  const list = usePages(['deliveries', endpointId], () => client.all.listWebhookDeliveries(at));
  const replay = useSubmit({
    send: (deliveryId: string, attempt) =>
      client.replayWebhookDelivery({ ...at, deliveryId }, attempt),
    changes: [['deliveries', endpointId]],
  });
  return (
    <Section title={texts.deliveries}>
      <CommandNotice command={replay} />
      <PagedTable
        list={list}
        empty={texts.noDeliveries}
        label={texts.deliveries}
        keyOf={({ id }) => id}
        columns={[
          { title: columns.when, cell: ({ createdAt }) => <Moment iso={createdAt} /> },
          { title: columns.type, cell: ({ type }) => type },
          {
            title: columns.status,
            cell: ({ status }) => (
              <Badge kind={KINDS[status]}>{texts.deliveryStatus[status]}</Badge>
            ),
          },
          { title: columns.answer, cell: (delivery) => answerText(delivery) },
          {
            title: columns.actions,
            cell: ({ id, type, createdAt }) => (
              <Button
                size="small"
                aria-label={texts.replayOf(type, moment(createdAt))}
                isRunning={replay.isRunning}
                onClick={() => replay.submit(id)}
              >
                {texts.replay}
              </Button>
            ),
          },
        ]}
      />
    </Section>
  );
}

/** What an endpoint answered last, and when it is asked again. */
function answerText(delivery: Delivery): string {
  const { attempt, responseStatus, error, milliseconds, nextAttemptAt, status } = delivery;
  const parts = [
    error ?? responseStatus?.toString(),
    milliseconds === null ? undefined : texts.milliseconds(number(milliseconds)),
    attempt > 0 ? texts.attempt(attempt) : undefined,
    status === 'pending' && nextAttemptAt !== null ? texts.next(moment(nextAttemptAt)) : undefined,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}
