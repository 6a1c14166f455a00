import { expect } from 'vitest';
import { z } from 'zod';
import { type AlphaSimulator, startAlpha } from '../../../../sandbox/providers/alpha/simulator.ts';

export const MINUTE_MS = 60_000;

const Answer = z.looseObject({
  payments: z.array(z.looseObject({ id: z.string(), updated_at: z.string() })).optional(),
  cursor: z.string().optional(),
});
type Body = z.infer<typeof Answer>;

/** Starts a simulator with a settable clock, merchant ML1, locations MAIN and SIDE, and a token. */
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
