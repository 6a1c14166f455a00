import { z } from 'zod';
import type { Provider } from '../../domain/payment.ts';
import type { Person } from '../identity/people.ts';
import type { Place } from './place.ts';

/** The till of the sample tenant at a provider. */
type Till = {
  /** The currency of the account. */
  currency: string;
  /** Returns the id of the person's customer there, who is added when there is none. */
  customerOf(person: Person): string;
  /** Rings a sale that is paid at once, and returns the id of its payment. */
  ring(sale: { amount: number; currency: string; customerId?: string }): string;
};

const AlphaMerchants = z.array(
  z.object({
    id: z.string(),
    locations: z.array(z.object({ currency: z.string() })),
    customers: z.array(z.object({ id: z.string(), email_address: z.string().optional() })),
  }),
);
const BetaMerchants = z.array(
  z.object({
    id: z.string(),
    currency: z.string(),
    customers: z.array(
      z.object({ id: z.string(), emails: z.array(z.object({ emailAddress: z.string() })) }),
    ),
  }),
);

/** Opens the tenant's till at the provider. */
export function openTill(place: Place, provider: Provider): Promise<Till> {
  return provider === 'alpha' ? openAlpha(place) : openBeta(place);
}

async function openAlpha({ alpha, tenant }: Place): Promise<Till> {
  const merchantId = tenant.alphaMerchantId;
  const { locations, customers } = merchantIn(AlphaMerchants, await read(alpha.url), merchantId);
  return {
    currency: locations[0]?.currency ?? 'USD',
    customerOf: ({ name, email }) =>
      customers.find((customer) => customer.email_address === email)?.id ??
      alpha.addCustomer({ merchantId, givenName: name, email }).id,
    ring: (sale) => alpha.ring({ ...sale, merchantId, capture: 'at-once' }).id,
  };
}

async function openBeta({ beta, tenant }: Place): Promise<Till> {
  const merchantId = tenant.betaMerchantId;
  const { currency, customers } = merchantIn(BetaMerchants, await read(beta.url), merchantId);
  return {
    currency,
    customerOf: ({ name, email }) =>
      customers.find(({ emails }) => emails.some((each) => each.emailAddress === email))?.id ??
      beta.addCustomer({ merchantId, firstName: name, emails: [email] }).id,
    ring: (sale) => beta.ring({ ...sale, merchantId }).id,
  };
}

async function read(url: string): Promise<unknown> {
  return (await fetch(`${url}/_sim/merchants`)).json();
}

function merchantIn<T extends { id: string }>(
  schema: z.ZodType<T[]>,
  answer: unknown,
  merchantId: string,
): T {
  const merchant = schema.parse(answer).find(({ id }) => id === merchantId);
  if (merchant === undefined) throw new Error(`The provider has no merchant ${merchantId}.`);
  return merchant;
}
