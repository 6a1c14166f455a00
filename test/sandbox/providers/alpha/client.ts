import { expect } from 'vitest';
import { z } from 'zod';
import {
  type AlphaOptions,
  type AlphaSimulator,
  startAlpha,
} from '../../../../sandbox/providers/alpha/simulator.ts';
import { startReceiver } from '../receiver.ts';

export const MINUTE_MS = 60_000;

const Answer = z.looseObject({
  payments: z.array(z.looseObject({ id: z.string(), updated_at: z.string() })).optional(),
  cursor: z.string().optional(),
});
type Body = z.infer<typeof Answer>;

/** Starts a simulator for the app `app`; without a receiver its webhooks get nowhere. */
export function startApp(options: Partial<AlphaOptions> = {}): Promise<AlphaSimulator> {
  return startAlpha({
    port: 0,
    appId: 'app',
    appSecret: 'secret',
    signatureKey: 'key',
    seed: 3,
    webhookUrl: 'http://127.0.0.1:9/nobody',
    ...options,
  });
}

/** Starts a simulator and a receiver of its webhooks. */
export async function startWithReceiver(
  options: Partial<AlphaOptions> = {},
  answer?: Parameters<typeof startReceiver>[0],
) {
  const receiver = await startReceiver(answer);
  const alpha = await startApp({ webhookUrl: receiver.url, ...options });
  const stop = async () => {
    await alpha.stop();
    await receiver.stop();
  };
  return { alpha, receiver, stop };
}

/** Starts a simulator with a settable clock, merchant ML1, locations MAIN and SIDE, and a token. */
export async function startConnectedAlpha() {
  const clock = { now: new Date('2026-03-01T12:00:00.000Z') };
  const alpha = await startApp({ now: () => clock.now });
  const locations = [
    { id: 'MAIN', name: 'Main' },
    { id: 'SIDE', name: 'Side', inactive: true },
  ];
  alpha.addMerchant({ id: 'ML1', name: 'One', locations });
  return { alpha, clock, bearer: alpha.issueToken('ML1').accessToken };
}

/** Requests the path with the token, and returns the response. */
export async function get(alpha: AlphaSimulator, path: string, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${alpha.url}${path}`, { headers });
  const body = Answer.parse(await response.json());
  return { status: response.status, body, headers: response.headers };
}

/** Returns the ids of a page's payments, in their order. */
export function idsIn(body: Body): string[] {
  return (body.payments ?? []).map(({ id }) => id);
}

/** Builds the matcher of an error body. */
export function errorBody(category: string, code: string) {
  return { errors: [expect.objectContaining({ category, code })] };
}
