import { expect } from 'vitest';
import { z } from 'zod';
import { type AlphaSimulator, startAlpha } from '../../../../sandbox/providers/alpha/simulator.ts';

export const MINUTE_MS = 60_000;

const Answer = z.looseObject({
  payments: z.array(z.looseObject({ id: z.string(), updated_at: z.string() })).optional(),
  cursor: z.string().optional(),
});
type Body = z.infer<typeof Answer>;

/** A simulator with merchant ML1, its locations MAIN and SIDE, a token, and a clock to set. */
export async function startConnectedAlpha() {
  const clock = { now: new Date('2026-03-01T12:00:00.000Z') };
  const alpha = await startAlpha({
    port: 0,
    appId: 'app',
    appSecret: 'secret',
    signatureKey: 'key',
    seed: 3,
    webhookUrl: 'http://127.0.0.1:9/nobody',
    now: () => clock.now,
  });
  const locations = [
    { id: 'MAIN', name: 'Main' },
    { id: 'SIDE', name: 'Side', inactive: true },
  ];
  alpha.addMerchant({ id: 'ML1', name: 'One', locations });
  return { alpha, clock, bearer: alpha.issueToken('ML1').accessToken };
}

/** What the API answers to a request with the token. */
export async function get(alpha: AlphaSimulator, path: string, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${alpha.url}${path}`, { headers });
  const body = Answer.parse(await response.json());
  return { status: response.status, body, headers: response.headers };
}

/** The ids of a page's payments, in its order. */
export function idsIn(body: Body): string[] {
  return (body.payments ?? []).map(({ id }) => id);
}

/** What an error envelope has to match. */
export function errorBody(category: string, code: string) {
  return { errors: [expect.objectContaining({ category, code })] };
}
