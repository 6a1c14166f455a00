import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { type Schema, useClient, useServiceClock } from '../shared/client.tsx';
import { ago } from '../shared/format.ts';
import { providers } from '../shared/providers.ts';
import { Badge, Button, CommandNotice, Notice } from '../shared/ui/basics.tsx';
import { useSubmit } from '../shared/use-submit.ts';
import { portalTexts } from '../texts/en/portal.ts';
import { useShop } from './shop.tsx';

const { health: texts } = portalTexts;

export type Connection = Schema['PosConnection'];
export type Provider = Connection['posType'];

/** How a connection is, from what the service knows of it. */
export type Health = 'good' | 'trouble' | 'silent' | 'lost' | 'disconnected';

/** Says how a connection is. */
export function healthOf(connection: Connection): Health {
  const { status, needsReconnectSince, gapSince, lastError } = connection;
  if (status === 'disconnected') return 'disconnected';
  if (needsReconnectSince !== null) return 'lost';
  if (gapSince !== null) return 'silent';
  return lastError === null ? 'good' : 'trouble';
}

const BADGES = {
  good: 'good',
  trouble: 'warn',
  silent: 'warn',
  lost: 'bad',
  disconnected: 'plain',
} as const;

/** How a point of sale is, in a word. */
export function HealthBadge({ health }: { health: Health }) {
  return <Badge kind={BADGES[health]}>{texts.states[health]}</Badge>;
}

/** What the merchant calls a connection: the point of sale, with its account where it is known. */
export function nameOf({ posType, accountName }: Connection): string {
  const { label } = providers[posType];
  return accountName === null ? label : texts.named(label, accountName);
}

const ASK_AGAIN_MS = 60_000;

/** The connections of the shop, at most one to each point of sale; asked for again each minute. */
export function useConnections() {
  const client = useClient();
  const { tenantId } = useShop();
  return useQuery({
    queryKey: ['connections', tenantId],
    queryFn: () => client.listPosConnections({ tenantId }),
    refetchInterval: ASK_AGAIN_MS,
  });
}

/** Begins to connect a point of sale, where the browser is sent to. */
export function useConnect() {
  const client = useClient();
  const { tenantId } = useShop();
  const [leavingFor, setLeavingFor] = useState<Provider>();
  const command = useSubmit({
    send: (provider: Provider, attempt) => providers[provider].connect(client, tenantId, attempt),
    changes: [],
    onDone: ({ authorizationUrl }) => location.assign(authorizationUrl),
  });
  return {
    command,
    isLeavingFor: (provider: Provider) => command.isRunning && leavingFor === provider,
    connect: (provider: Provider) => {
      setLeavingFor(provider);
      command.submit(provider);
    },
  };
}

/** Says on each page which points of sale are lost or silent, with the way back. */
export function Trouble() {
  const connections = useConnections();
  const { connect, isLeavingFor, command } = useConnect();
  const clock = useServiceClock();
  const all = connections.data ?? [];
  const lost = all.filter((one) => healthOf(one) === 'lost');
  const silent = all.filter((one) => healthOf(one) === 'silent');
  return (
    <>
      {silent.map((connection) => (
        <Notice key={connection.id} kind="bad">
          <p>
            <strong>
              {texts.silent(nameOf(connection), ago(connection.gapSince ?? '', clock.now()))}
            </strong>{' '}
            {texts.silentWhat}
          </p>
          <Link href="/providers">{texts.seeDays}</Link>
        </Notice>
      ))}
      {lost.map((connection) => {
        const { id, posType, needsReconnectSince } = connection;
        const since = ago(needsReconnectSince ?? '', clock.now());
        return (
          <Notice key={id} kind="bad">
            <p>
              <strong>{texts.lost(nameOf(connection), since)}</strong> {texts.lostWhat}
            </p>
            <Button
              kind="danger"
              isRunning={isLeavingFor(posType)}
              onClick={() => connect(posType)}
            >
              {texts.reconnect(providers[posType].label)}
            </Button>
          </Notice>
        );
      })}
      <CommandNotice command={command} />
    </>
  );
}
