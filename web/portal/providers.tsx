import { lazy, Suspense, useEffect, useState } from 'react';
import { useSearch } from 'wouter';
import { useClient, useServiceClock } from '../shared/client.tsx';
import { ago, moment } from '../shared/format.ts';
import { providerList, providers } from '../shared/providers.ts';
import {
  Button,
  ButtonLink,
  CommandNotice,
  ErrorNotice,
  Notice,
  Skeleton,
} from '../shared/ui/basics.tsx';
import { FormDialog } from '../shared/ui/dialog.tsx';
import { PageTitle } from '../shared/ui/frame.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { providerTexts as texts } from '../texts/en/providers.ts';
import {
  type Connection,
  type Health,
  HealthBadge,
  healthOf,
  nameOf,
  type Provider,
  useConnect,
  useConnections,
} from './connections.tsx';
import { FailedConnect } from './failed-connect.tsx';
import { useShop } from './shop.tsx';

const Truth = lazy(() => import('./truth.tsx'));

const { health: healthTexts } = portalTexts;

const ASK_AGAIN_MS = 1_000;

/** The points of sale that a shop may have: connect one, see how each is, disconnect one. */
export default function ProvidersPage() {
  const connections = useConnections();
  const [ending, setEnding] = useState<Connection>();
  const { data = [], error, isPending, refetch } = connections;
  const isOpen = providerList.some(
    ({ name }) => !data.some(({ posType, status }) => posType === name && status === 'active'),
  );
  return (
    <>
      <PageTitle>{portalTexts.pages.providers}</PageTitle>
      <ComingBack connections={data} refetch={refetch} />
      <ErrorNotice error={error} retry={refetch} />
      {isPending && <Skeleton shape="cards" count={2} />}
      {connections.data !== undefined && (
        <>
          {isOpen && <p className="muted">{texts.leaving}</p>}
          <ul className="points-of-sale" aria-label={texts.list}>
            {providerList.map(({ name }) => (
              <PointOfSale
                key={name}
                provider={name}
                connection={data.find(({ posType }) => posType === name)}
                onEnd={setEnding}
              />
            ))}
          </ul>
        </>
      )}
      <Disconnect
        connection={ending}
        others={data.filter((one) => one.status === 'active' && one.id !== ending?.id)}
        onClose={() => setEnding(undefined)}
      />
    </>
  );
}

function PointOfSale(props: {
  provider: Provider;
  connection: Connection | undefined;
  onEnd(connection: Connection): void;
}) {
  const { provider, connection, onEnd } = props;
  const { label } = providers[provider];
  const { connect, isLeavingFor, command } = useConnect();
  const health = connection === undefined ? 'disconnected' : healthOf(connection);
  const isActive = ['good', 'trouble', 'silent'].includes(health);
  return (
    <li className={`card point-of-sale point-of-sale-${health}`}>
      <div className="section-head">
        <h2>{label}</h2>
        {connection !== undefined && <HealthBadge health={health} />}
      </div>
      {connection === undefined ? (
        <p className="muted">{texts.never(label)}</p>
      ) : (
        <Facts connection={connection} health={health} />
      )}
      {connection?.status === 'active' && (
        <Suspense fallback={<Skeleton />}>
          <Truth connection={connection} />
        </Suspense>
      )}
      <div className="button-row">
        {!isActive && (
          <Button
            kind="primary"
            icon="connection"
            isRunning={isLeavingFor(provider)}
            onClick={() => connect(provider)}
          >
            {connection === undefined ? texts.connect(label) : healthTexts.reconnect(label)}
          </Button>
        )}
        {connection?.status === 'active' && (
          <Button size={isActive ? 'small' : 'normal'} onClick={() => onEnd(connection)}>
            {texts.disconnect}
          </Button>
        )}
      </div>
      <CommandNotice command={command} />
    </li>
  );
}

function Facts({ connection, health }: { connection: Connection; health: Health }) {
  const clock = useServiceClock();
  const { accountName, lastSaleAt, needsReconnectSince } = connection;
  return (
    <>
      {health === 'lost' && needsReconnectSince !== null && (
        <p>{texts.lost(moment(needsReconnectSince))}</p>
      )}
      {health === 'trouble' && <p>{healthTexts.troubleWhat}</p>}
      {health === 'silent' && <p>{healthTexts.silentWhat}</p>}
      <dl className="facts">
        <dt>{texts.account}</dt>
        <dd>{accountName ?? texts.unread}</dd>
        <dt>{texts.lastSale}</dt>
        <dd>
          {lastSaleAt === null ? (
            texts.noSale
          ) : (
            <time dateTime={lastSaleAt} title={moment(lastSaleAt)}>
              {ago(lastSaleAt, clock.now())}
            </time>
          )}
        </dd>
      </dl>
    </>
  );
}

/** Says how connecting ended, with the name of the account as soon as the provider has told it. */
function ComingBack(props: { connections: readonly Connection[]; refetch(): unknown }) {
  const { activeRule } = useShop();
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
      <Notice kind="good">
        <p>{account ? texts.isAccount(name, account) : texts.connected(name)}</p>
        {activeRule === null && (
          <ButtonLink size="small" href="/">
            {texts.goOn}
          </ButtonLink>
        )}
      </Notice>
    );
  }
  if (error === null) return null;
  const accountCurrency = search.get('accountCurrency');
  return <FailedConnect {...{ error, accountCurrency }} label={provider?.label} />;
}

function Disconnect(props: {
  connection: Connection | undefined;
  others: readonly Connection[];
  onClose(): void;
}) {
  const client = useClient();
  const { tenantId } = useShop();
  const { connection, others } = props;
  const end = useSubmit({
    send: (connectionId: string, attempt) =>
      client.disconnectPos({ tenantId, connectionId }, attempt),
    changes: [['connections'], ['shops']],
    onDone: props.onClose,
  });
  const [other] = others.filter((one) => healthOf(one) !== 'lost');
  const label = connection === undefined ? '' : providers[connection.posType].label;
  return (
    <FormDialog
      isOpen={connection !== undefined}
      onClose={props.onClose}
      title={texts.disconnectTitle(connection === undefined ? '' : nameOf(connection))}
      submit={texts.disconnectThis(label)}
      kind="danger"
      command={end}
      onSubmit={() => connection && end.submit(connection.id)}
    >
      <p>
        {texts.disconnectWhat(label)}{' '}
        {other === undefined ? texts.noOther : texts.goesOn(providers[other.posType].label)}
      </p>
      <p className="muted">{texts.stays}</p>
    </FormDialog>
  );
}
