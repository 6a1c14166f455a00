import type { CallOptions, LoyaltyClient } from '../../sdk/index.ts';
import type { Schema } from './client.tsx';

type Provider = Schema['PosConnection']['posType'];

type Entry<Name> = {
  name: Name;
  /** What people call it. */
  label: string;
  /** Returns where to send the browser to connect the shop. */
  connect(
    client: LoyaltyClient,
    tenantId: string,
    options: CallOptions,
  ): Promise<{ authorizationUrl: string }>;
};

/** The providers that the API knows. */
export const providers: { [Name in Provider]: Entry<Name> } = {
  alpha: {
    name: 'alpha',
    label: 'Alpha',
    connect: (client, tenantId, options) => client.connectAlpha({ tenantId }, options),
  },
  beta: {
    name: 'beta',
    label: 'Beta',
    connect: (client, tenantId, options) => client.connectBeta({ tenantId }, options),
  },
};

export const providerList = Object.values(providers);
