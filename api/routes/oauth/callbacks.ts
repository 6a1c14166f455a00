import { z } from 'zod';
import type { ConnectFailure, ConnectOutcome } from '../../../domain/oauth.ts';
import type { Provider } from '../../../domain/payment.ts';
import { callbackPath } from '../../../domain/provider-paths.ts';
import { providers } from '../../../gateways/providers/index.ts';
import type { Deps } from '../../http/deps.ts';
import { failureOf } from '../../http/replies/errors.ts';
import { type Redirect, redirect } from '../../http/replies/reply.ts';
import { route } from '../../http/route.ts';
import { finishConnecting } from './finish-connecting.ts';

const MAX_LENGTH = 4096;

/** A malformed parameter counts as missing, because every outcome is a redirect. */
const parameter = (pattern: RegExp) =>
  z
    .string()
    .transform((text) => (text.length <= MAX_LENGTH && pattern.test(text) ? text : undefined))
    .optional()
    .catch(undefined);

const Query = z.object({
  code: parameter(/^[\x21-\x7e]+$/).describe('The authorization code.'),
  state: parameter(/^[\w.-]+$/).describe('The state with which the merchant was sent away.'),
  error: parameter(/^\w+$/).describe('Why the provider gave no code.'),
});
const ClaimingQuery = Query.extend({
  merchant_id: parameter(/^[\w-]{1,64}$/).describe('The account that was connected.'),
});

/** What a callback says, where it may name the account. */
type Claimed = z.output<typeof Query> & Partial<z.output<typeof ClaimingQuery>>;

const callback = {
  method: 'GET',
  access: 'signed-state',
  status: 302,
  produces: 'text/plain',
  tag: 'Provider sign-in',
  description:
    'The provider sends a merchant’s browser here. Redirects to `/pos` of the frontend, with ' +
    '`connected=true` and `provider`, or with `provider` and `error`: `access_denied`, ' +
    '`invalid_state`, `expired_state`, `exchange_failed`, `merchant_mismatch`, `merchant_taken`, ' +
    '`currency_mismatch` (the tenant’s is another one than `accountCurrency`) or `not_allowed`. ' +
    'A state is valid once, for ten minutes.',
} as const;

/** Makes the route to which a provider sends merchants back. */
export const returnFrom = (provider: Provider) =>
  route({
    ...callback,
    path: callbackPath(provider),
    summary: `OAuth callback of ${provider}`,
    query: providers[provider].oauth.identifies === 'callback' ? ClaimingQuery : Query,

    handle({ query, headers: { cookie: cookies }, correlationId, requestId, ...deps }) {
      const { merchant_id: merchantId, ...others }: Claimed = query;
      return finish(provider, { ...others, merchantId, cookies, correlationId, requestId }, deps);
    },
  });

type Returned = Omit<Parameters<typeof finishConnecting>[0], 'provider'>;

/** Redirects a merchant's browser even when we fail, to the page that explains the error. */
async function finish(provider: Provider, returned: Returned, deps: Deps): Promise<Redirect> {
  try {
    return redirectTo(deps, provider, await finishConnecting({ provider, ...returned }, deps));
  } catch (error) {
    const { correlationId } = returned;
    deps.log.error(
      { event: 'oauth_connect_failed', err: error, correlationId, provider },
      'An account was not connected; its merchant has to try again',
    );
    if (failureOf(error).unexpected) deps.report(error, { correlationId });
    return redirectTo(deps, provider, { connected: false, error: 'exchange_failed' });
  }
}

function redirectTo(
  { settings: { frontendUrl } }: Deps,
  provider: Provider,
  outcome: ConnectOutcome,
): Redirect {
  const parameters = outcome.connected
    ? { connected: 'true', provider }
    : { error: outcome.error, provider, ...currencyOf(outcome) };
  return redirect(`${frontendUrl}/pos?${new URLSearchParams(parameters)}`);
}

function currencyOf({ accountCurrency }: ConnectFailure): { accountCurrency?: string } {
  return accountCurrency === undefined ? {} : { accountCurrency };
}
