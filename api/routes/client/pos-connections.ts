import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { disconnectBy } from '../../../db/connections/disconnecting.ts';
import * as oauthStates from '../../../db/connections/oauth-states.ts';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import type { Tenant } from '../../../db/tenants/tenants.ts';
import type { User } from '../../../db/users/users.ts';
import { Refusal } from '../../../domain/errors.ts';
import { AttemptId, ConnectionId } from '../../../domain/ids.ts';
import { isPolled, type Provider } from '../../../domain/payment.ts';
import { providers } from '../../../gateways/providers/index.ts';
import { actingBy } from '../../http/access/acting.ts';
import type { Deps } from '../../http/deps.ts';
import { HttpRefusal } from '../../http/replies/errors.ts';
import { pageCursor, pageLimit, readPage } from '../../http/replies/pagination.ts';
import { reply } from '../../http/replies/reply.ts';
import { route } from '../../http/route.ts';
import {
  connectionAnswerOf,
  PosConnection,
  posConnectionExample,
} from '../../resources/pos-connection.ts';
import { bindBrowser } from '../oauth/browser-binding.ts';

/** Where a page starts: after a connection. */
const Position = z.tuple([z.literal('connection'), ConnectionId]);

export const listPosConnections = route({
  method: 'GET',
  path: '/client/tenants/:tenantId/pos-connections',
  access: 'TENANT_VIEW',
  tag: 'Merchant',
  summary: 'List the connections to providers, newest first',
  query: z.object({ limit: pageLimit(50), cursor: pageCursor(Position) }),
  response: z.array(PosConnection),
  examples: { response: [posConnectionExample] },

  handle({ tenant, query, db }) {
    const after = query.cursor?.[1];
    return readPage(query.limit, {
      read: (limit) => posConnections.list(db, tenant.id, { limit, after }),
      show: connectionAnswerOf,
      position: ({ id }) => ['connection', id],
    });
  },
});

const connect = {
  method: 'POST',
  ignoresBody: true,
  access: 'TENANT_POS_CONNECT',
  tag: 'Merchant',
  description:
    'Send the browser to the returned address within ten minutes. It comes back to `/pos` of the ' +
    'frontend. Where the service binds connecting to a browser, the response sets a cookie ' +
    'without which that return is `invalid_state`: call with `credentials: "include"`. ' +
    '503 while the service has no app at that provider; the message names the missing ' +
    'configuration.',
  response: z.object({ authorizationUrl: z.url().describe('Where to send the browser.') }),
} as const;

/** Makes the route by which a merchant starts to connect an account at a provider. */
export const connectTo = (provider: Provider) =>
  route({
    ...connect,
    path: `/client/tenants/:tenantId/pos-connections/${provider}/connect`,
    summary: `Start to connect an account of ${provider}`,
    examples: { response: { authorizationUrl: exampleOf(provider) } },

    handle: ({ tenant, user, ...deps }) => begin(provider, { tenant, user }, deps),
  });

function exampleOf(provider: Provider): string {
  const { authorizationPath } = providers[provider].oauth;
  return `https://${provider}.example${authorizationPath}?client_id=app&state=ey`;
}

export const disconnectPos = route({
  method: 'DELETE',
  path: '/client/tenants/:tenantId/pos-connections/:connectionId',
  access: 'TENANT_POS_CONNECT',
  tag: 'Merchant',
  summary: 'Disconnect an account of a provider',
  description:
    'Payments are no longer ingested, and the access is revoked where the provider supports it. ' +
    'The record stays, for connecting again. Disconnecting again changes nothing.',
  response: z.object({
    ok: z.literal(true),
    connectionId: ConnectionId,
    status: z.literal('disconnected'),
  }),
  examples: {
    response: { ok: true, connectionId: posConnectionExample.id, status: 'disconnected' },
  },

  async handle({ tenant, params: { connectionId }, orchestrator, ...request }) {
    const connection = { tenantId: tenant.id, id: connectionId };
    const act = { acting: actingBy(request), reason: null };
    const found = await request.db.transaction((tx) => disconnectBy(tx, connection, act));
    if (found === undefined)
      throw new Refusal('NOT_FOUND', 'There is no such connection. Check its id.');
    if (isPolled(found.account.provider)) orchestrator.stopPollingLater(connectionId);
    return { ok: true, connectionId, status: 'disconnected' };
  },
});

async function begin(
  provider: Provider,
  { tenant, user }: { tenant: Tenant; user: User },
  { db, providers: clients, oauthStates: states, settings }: Deps,
) {
  const { missing, origin, authorizationUrl } = clients[provider].oauth;
  if (missing.length > 0) {
    const names = missing.join(' and ');
    const message = `Connecting ${provider} is not set up yet. Ask support to configure ${names}.`;
    throw new HttpRefusal('INTERNAL_ERROR', message, 503);
  }
  // It is the nonce of the state, which no one else may guess.
  const attemptId = AttemptId.parse(randomUUID());
  const begun = { attemptId, tenantId: tenant.id, userId: user.id, provider };
  const binding = settings.oauthBindBrowser ? bindBrowser() : undefined;
  const { state, expiresAt } = await states.sign({ ...begun, origin, browser: binding?.browser });
  await oauthStates.insert(db, { ...begun, expiresAt });
  const headers: Record<string, string> = binding ? { 'Set-Cookie': binding.cookie } : {};
  return reply({ body: { authorizationUrl: authorizationUrl(state).href }, headers });
}
