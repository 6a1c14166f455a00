import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { keysOf } from '../shared/keys-of.ts';
import { Badge, Button, EmptyState, ErrorNotice, Skeleton } from '../shared/ui/basics.tsx';
import { FormDialog } from '../shared/ui/dialog.tsx';
import { CheckField, TextField } from '../shared/ui/fields.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { webhookTexts as texts } from '../texts/en/webhooks.ts';
import { SecretDialog } from './secret.tsx';
import { useShop } from './shop.tsx';

type EventType = Schema['EventType'];
/** In the order in which they are offered; one that is missing here does not compile. */
const TYPES = keysOf({
  'points.credited': true,
  'points.reversed': true,
  'points.adjusted': true,
  'points.expired': true,
  'redemption.issued': true,
  'redemption.used': true,
  'redemption.expired': true,
  'tier.changed': true,
  'connection.active': true,
  'connection.lost': true,
  'connection.gap': true,
  'operator.joined': true,
  'rule.published': true,
} satisfies Record<EventType, true>);

/** The addresses of the merchant's own systems, which are told what happens. */
export default function WebhooksPage() {
  const client = useClient();
  const { tenantId } = useShop();
  const endpoints = useQuery({
    queryKey: ['endpoints', tenantId, 'list'],
    queryFn: () => client.listWebhookEndpoints({ tenantId }),
  });
  return (
    <>
      <PageTitle action={<Add />}>{portalTexts.pages.webhooks}</PageTitle>
      <p className="muted">{texts.lead}</p>
      <ErrorNotice error={endpoints.error} retry={endpoints.refetch} />
      {endpoints.isPending && <Skeleton />}
      {endpoints.data?.length === 0 && <EmptyState picture="webhooks" title={texts.empty} />}
      {endpoints.data !== undefined && endpoints.data.length > 0 && (
        <ul className="cards" aria-label={texts.list}>
          {endpoints.data.map(({ id, url, status, types }) => (
            <li key={id}>
              <Link className="card" href={`/webhooks/${id}`}>
                <strong>{url}</strong>
                <span className="muted">{types?.join(', ') ?? texts.everything}</span>
                <span>
                  <StatusOf status={status} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function StatusOf({ status }: { status: Schema['WebhookEndpoint']['status'] }) {
  return <Badge kind={status === 'active' ? 'good' : 'bad'}>{texts.status[status]}</Badge>;
}

function Add() {
  const client = useClient();
  const { tenantId } = useShop();
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<string>();
  const [url, setUrl] = useState('https://');
  const [types, setTypes] = useState<readonly EventType[] | null>(null);
  const add = useSubmit({
    send: (body: { url: string; types: EventType[] | null }, attempt) =>
      client.createWebhookEndpoint({ tenantId, body }, attempt),
    changes: [['endpoints']],
    onDone: (endpoint) => {
      setSecret(endpoint.secret);
      setOpen(false);
      setUrl('https://');
      setTypes(null);
    },
  });
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        {texts.add}
      </Button>
      <FormDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={texts.addTitle}
        submit={texts.submit}
        command={add}
        onSubmit={() => add.submit({ url, types: types === null ? null : [...types] })}
      >
        <TextField
          label={texts.url}
          hint={texts.urlHint}
          type="url"
          required
          value={url}
          onText={setUrl}
        />
        <TypeFields types={types} onTypes={setTypes} />
      </FormDialog>
      <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
    </>
  );
}

function TypeFields(props: {
  types: readonly EventType[] | null;
  onTypes(types: readonly EventType[] | null): void;
}) {
  const { types, onTypes } = props;
  return (
    <fieldset className="types">
      <legend>{texts.types}</legend>
      <CheckField
        label={texts.everything}
        checked={types === null}
        onCheck={(isOn) => onTypes(isOn ? null : TYPES)}
      />
      {types !== null &&
        TYPES.map((type) => (
          <CheckField
            key={type}
            label={type}
            checked={types.includes(type)}
            onCheck={(isOn) =>
              onTypes(isOn ? [...types, type] : types.filter((other) => other !== type))
            }
          />
        ))}
    </fieldset>
  );
}
