import { useEffect, useState } from 'react';
import { useSearch } from 'wouter';
import { type Schema, useClient } from '../shared/client.tsx';
import { providerList, providers } from '../shared/providers.ts';
import { Badge, Button, ErrorNotice, Moment, Notice, Section } from '../shared/ui/basics.tsx';
import { FormDialog } from '../shared/ui/dialog.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { PagedTable } from '../shared/ui/lists.tsx';
import { usePages } from '../shared/use-pages.ts';
import { useSubmit } from '../shared/use-submit.ts';
import { portalTexts } from '../texts/portal.ts';
import { FailedConnect } from './failed-connect.tsx';
import { useShop } from './shop.tsx';

const { providers: texts } = portalTexts;
const { columns } = texts;

type Connection = Schema['PosConnection'];
type Provider = Connection['posType'];
const ASK_AGAIN_MS = 1_000;

/** The connections of the shop: make one at a provider, see how each is, end one. */
export function ProvidersPage() {
  const client = useClient();
  const { tenantId } = useShop();
  const key = ['connections', tenantId];
  const connections = usePages(key, () => client.all.listPosConnections({ tenantId }));
  const [ending, setEnding] = useState<Connection>();
  return (
    <>
      <PageTitle>{portalTexts.pages.providers}</PageTitle>
      <ComingBack connections={connections.items ?? []} refetch={connections.refetch} />
      <Connect />
      <Section title={texts.list}>
        <PagedTable
          list={connections}
          empty={texts.empty}
          label={texts.list}
          keyOf={({ id }) => id}
          columns={[
            { title: columns.provider, cell: ({ posType }) => providers[posType].label },
            { title: columns.account, cell: ({ accountName }) => accountName ?? '–' },
            { title: columns.status, cell: ({ status }) => <StatusOf status={status} /> },
            {
              title: columns.lastSale,
              cell: ({ lastEventAt }) => (lastEventAt ? <Moment iso={lastEventAt} /> : '–'),
            },
            { title: columns.problem, cell: ({ lastError }) => lastError ?? portalTexts.none },
            {
              title: columns.actions,
              cell: (connection) =>
                connection.status === 'active' && (
                  <Button size="small" onClick={() => setEnding(connection)}>
                    {texts.disconnect}
                  </Button>
                ),
            },
          ]}
        />
      </Section>
      <Disconnect connection={ending} onClose={() => setEnding(undefined)} />
    </>
  );
}

function StatusOf({ status }: { status: Connection['status'] }) {
  return <Badge kind={status === 'active' ? 'good' : 'plain'}>{texts.status[status]}</Badge>;
}

function Connect() {
  const client = useClient();
  const { tenantId } = useShop();
  const [leaving, setLeaving] = useState<Provider>();
  const connect = useSubmit({
    send: (provider: Provider) => providers[provider].connect(client, tenantId),
    changes: [],
    onDone: ({ authorizationUrl }) => location.assign(authorizationUrl),
  });
  return (
    <div className="form">
      <p className="muted">{texts.leaving}</p>
      <div className="button-row">
        {providerList.map(({ name: provider, label }) => (
          <Button
            key={provider}
            kind="primary"
            isRunning={connect.isRunning && leaving === provider}
            onClick={() => {
              setLeaving(provider);
              connect.submit(provider);
            }}
          >
            {texts.connect(label)}
          </Button>
        ))}
      </div>
      <ErrorNotice error={connect.error} />
    </div>
  );
}

/** Says how connecting ended, with the name of the account as soon as the provider has told it. */
function ComingBack(props: { connections: readonly Connection[]; refetch(): unknown }) {
  const search = new URLSearchParams(useSearch());
  const provider = providerList.find(({ name }) => name === search.get('provider'));
  const error = search.get('error');
  const isConnected = search.get('connected') === 'true' && provider !== undefined;
  const account = props.connections.find(
    ({ posType, status }) => posType === provider?.name && status === 'active',
  )?.accountName;
  const { refetch } = props;
  const isWaiting = isConnected && (account === null || account === undefined);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => refetch(), ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isWaiting, refetch]);
  if (isConnected) {
    const name = provider.label;
    return (
      <Notice kind="good">{account ? texts.account(name, account) : texts.connected(name)}</Notice>
    );
  }
  if (error === null) return null;
  const accountCurrency = search.get('accountCurrency');
  return <FailedConnect {...{ error, accountCurrency }} label={provider?.label} />;
}

function Disconnect(props: { connection: Connection | undefined; onClose(): void }) {
  const client = useClient();
  const { tenantId } = useShop();
  const { connection } = props;
  const end = useSubmit({
    send: (connectionId: string) => client.disconnectPos({ tenantId, connectionId }),
    changes: [['connections'], ['shops']],
    onDone: props.onClose,
  });
  return (
    <FormDialog
      isOpen={connection !== undefined}
      onClose={props.onClose}
      title={texts.disconnectTitle(
        connection?.accountName ?? (connection ? providers[connection.posType].label : ''),
      )}
      submit={texts.disconnect}
      kind="danger"
      isRunning={end.isRunning}
      error={end.error}
      onSubmit={() => connection && end.submit(connection.id)}
    >
      <p>{texts.disconnectWhat}</p>
    </FormDialog>
  );
}
