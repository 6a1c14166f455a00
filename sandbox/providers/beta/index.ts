import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { readMerchant } from '../shared/merchants.ts';
import { newSecret } from '../shared/secrets.ts';
import type { SimulatedProvider, Simulator, Till } from '../simulator.ts';
import { type BetaSimulator, startBeta } from './simulator.ts';

export const beta: SimulatedProvider = {
  usualPort: 4300,
  newSecrets: () => ({
    // Thirteen characters, the form of beta's app ids.
    appId: `BETA${randomBytes(5).toString('hex').toUpperCase().slice(0, 9)}`,
    appSecret: newSecret(),
    webhookKey: randomUUID(),
  }),
  async start({ secrets: { webhookKey: webhookSecret, ...app }, ...options }) {
    return asSimulator(await startBeta({ ...options, ...app, webhookSecret }));
  },
  environment: (url, { appId, appSecret, webhookKey }) => ({
    BETA_APP_ID: appId,
    BETA_APP_SECRET: appSecret,
    BETA_ENVIRONMENT: 'sandbox',
    BETA_WEB_ORIGIN: url,
    BETA_API_ORIGIN: url,
    BETA_WEBHOOK_SECRET: webhookKey,
  }),
  sign: ({ key }) => ({ 'x-beta-auth': key }),
};

const Merchants = z.array(
  z.object({
    id: z.string(),
    currency: z.string(),
    customers: z.array(
      z.object({ id: z.string(), emails: z.array(z.object({ emailAddress: z.string() })) }),
    ),
  }),
);

/** Returns beta's simulator as the sandbox uses it. */
export function asSimulator(simulator: BetaSimulator): Simulator {
  const { url, setConsent, stop } = simulator;
  return {
    url,
    setConsent,
    stop,
    async addAccount(name, { givenName: firstName, familyName: lastName, email, phone }) {
      const { id: merchantId } = simulator.addMerchant({ name });
      const contacts = { emails: [email], phones: [phone] };
      const customer = simulator.addCustomer({ merchantId, firstName, lastName, ...contacts });
      await simulator.sendVerification();
      return { merchantId, customerId: customer.id };
    },
    openTill: (merchantId) => openTill(simulator, merchantId),
  };
}

async function openTill(simulator: BetaSimulator, merchantId: string): Promise<Till> {
  const { currency, customers } = await readMerchant(simulator.url, Merchants, merchantId);
  return {
    currency,
    customerOf: ({ name, email }) =>
      customers.find(({ emails }) => emails.some((each) => each.emailAddress === email))?.id ??
      simulator.addCustomer({ merchantId, firstName: name, emails: [email] }).id,
    ring: (sale) => simulator.ring({ ...sale, merchantId }).id,
  };
}
