import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { readMerchant } from '../shared/merchants.ts';
import { newSecret } from '../shared/secrets.ts';
import type { SimulatedProvider, Simulator, Till } from '../simulator.ts';
import { signWebhook } from './events.ts';
import { type AlphaSimulator, startAlpha } from './simulator.ts';

export const alpha: SimulatedProvider = {
  usualPort: 4200,
  newSecrets: () => ({
    appId: `sandbox-alpha-${randomBytes(6).toString('hex')}`,
    appSecret: newSecret(),
    webhookKey: newSecret(),
  }),
  async start({ secrets: { webhookKey: signatureKey, ...app }, ...options }) {
    return asSimulator(await startAlpha({ ...options, ...app, signatureKey }));
  },
  environment: (url, { appId, appSecret, webhookKey }) => ({
    ALPHA_APP_ID: appId,
    ALPHA_APP_SECRET: appSecret,
    ALPHA_ENVIRONMENT: 'sandbox',
    ALPHA_ORIGIN: url,
    ALPHA_WEBHOOK_SIGNATURE_KEY: webhookKey,
  }),
  sign({ body, key: signatureKey, url: notificationUrl }) {
    const signature = signWebhook({ signatureKey, notificationUrl, body });
    return { 'x-alpha-hmacsha256-signature': signature };
  },
};

const Merchants = z.array(
  z.object({
    id: z.string(),
    locations: z.array(z.object({ currency: z.string() })),
    customers: z.array(z.object({ id: z.string(), email_address: z.string().optional() })),
  }),
);

/** Returns alpha's simulator as the sandbox uses it. */
export function asSimulator(simulator: AlphaSimulator): Simulator {
  const { url, setConsent, stop } = simulator;
  return {
    url,
    sellsOffline: true,
    setConsent,
    stop,
    async addAccount(name, customer) {
      const { id: merchantId } = simulator.addMerchant({ name });
      return { merchantId, customerId: simulator.addCustomer({ merchantId, ...customer }).id };
    },
    openTill: (merchantId) => openTill(simulator, merchantId),
  };
}

async function openTill(simulator: AlphaSimulator, merchantId: string): Promise<Till> {
  const { locations, customers } = await readMerchant(simulator.url, Merchants, merchantId);
  return {
    currency: locations[0]?.currency ?? 'USD',
    customerOf: ({ name, email }) =>
      customers.find((customer) => customer.email_address === email)?.id ??
      simulator.addCustomer({ merchantId, givenName: name, email }).id,
    ring: ({ minutesAgo, ...sale }) =>
      simulator.ring({
        ...sale,
        merchantId,
        capture: 'at-once',
        ...(minutesAgo !== undefined && { takenOfflineMinutesAgo: minutesAgo }),
      }).id,
  };
}
