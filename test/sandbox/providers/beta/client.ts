import { z } from 'zod';
import type { BetaOptions } from '../../../../sandbox/providers/beta/options.ts';
import { type BetaSimulator, startBeta } from '../../../../sandbox/providers/beta/simulator.ts';
import { postJson } from '../http.ts';

export const MINUTE_MS = 60_000;
export const REDIRECT_URL = 'https://loyalty.example/api/v1/oauth/beta/callback';
export const SECRET = '0307e264-b33a-4913-88aa-37b10014a0b8';
const NOBODY = 'http://127.0.0.1:9/nobody';

/** Starts a simulator for the app APP, with short waits and without effective limits. */
export function startApp(options: Partial<BetaOptions> = {}): Promise<BetaSimulator> {
  return startBeta({
    port: 0,
    appId: 'APP',
    appSecret: 'shh',
    webhookSecret: SECRET,
    seed: 3,
    minuteMs: 0.01,
    webhookUrl: NOBODY,
    redirectUrl: REDIRECT_URL,
    beforeAnswer: async () => {},
    limits: { perSecond: 10_000, perSecondOverall: 10_000 },
    ...options,
  });
}

/** Starts one with a settable clock, the merchant M1, a customer and a token. */
export async function startConnected(options: Partial<BetaOptions> = {}) {
  const clock = { now: new Date('2026-03-01T12:00:00.000Z') };
  const beta = await startApp({ now: () => clock.now, ...options });
  beta.addMerchant({ id: 'M1', name: 'One', currency: 'EUR' });
  const { id: customerId } = beta.addCustomer({
    merchantId: 'M1',
    firstName: 'Ada',
    lastName: 'Byron',
    phones: ['(212) 555-0101'],
    emails: ['ada@work.example', 'Ada@Example.com'],
    primaryEmail: 'Ada@Example.com',
  });
  return { beta, clock, customerId, bearer: beta.issueToken('M1').accessToken };
}

const List = z.object({ elements: z.array(z.looseObject({})) });
const Answer = z.looseObject({
  elements: z.array(z.looseObject({})).optional(),
  order: z.looseObject({}).optional(),
  paymentState: z.string().optional(),
  refunds: List.optional(),
  customers: List.optional(),
  payments: List.optional(),
});

/** Requests the path with the token, and returns the response. */
export async function get(beta: BetaSimulator, path: string, token: string) {
  const response = await fetch(`${beta.url}/v3/merchants${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const body = Answer.parse(await response.json());
  return { status: response.status, headers: response.headers, body };
}

/** Posts JSON to the path, and returns the response. */
export function post(
  beta: BetaSimulator,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
) {
  return postJson(`${beta.url}${path}`, body, headers);
}
