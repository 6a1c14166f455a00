import { createSlowSenders, type SlowSenders } from '../support/http/slow-senders.ts';
import type { Deployment } from './deployment.ts';

const BETA = '/api/v1/webhooks/beta';
const ALPHA = '/api/v1/webhooks/alpha';
const LOGO = '/api/v1/client/tenants/3d1f6a8e-7c44-4e0a-9b9e-5a2c8d7e6f10/branding/logo';
/** The largest answer that nobody has to sign in for. */
const LARGE = '/docs/reference.js';
const ATTACKER = '203.0.113.7';

/** Whoever sends slowly at one address: as many as once kept out everybody's large events. */
export function sendSlowly({ url }: Deployment): SlowSenders {
  const slow = createSlowSenders(Number(new URL(url).port), ATTACKER);
  for (const path of [BETA, ALPHA]) {
    for (let nth = 0; nth < 64; nth++) slow.begin(path, nth % 2 === 0 ? 1_000_000 : 'chunked');
  }
  for (let nth = 0; nth < 16; nth++) slow.begin(LOGO, 10_000_000);
  return slow;
}

/** Whoever asks for large answers and does not take them. */
export function readSlowly({ url }: Deployment): SlowSenders {
  const slow = createSlowSenders(Number(new URL(url).port), ATTACKER);
  for (let nth = 0; nth < 64; nth++) slow.read(LARGE);
  return slow;
}

/** Delivers an event of beta of some size, of a merchant that nobody knows. */
export async function deliverLarge({ url, outside }: Deployment, bytes: number): Promise<number> {
  const response = await fetch(`${url}${BETA}`, {
    method: 'POST',
    headers: { 'x-beta-auth': outside.secrets.BETA_WEBHOOK_SECRET ?? '' },
    body: '{"merchants":{"BETAMERCH0001":[]}}'.padEnd(bytes),
  });
  return response.status;
}

/** An event of alpha that is not signed, large, from some address: 401 once it was read. */
export async function deliverUnsigned({ url }: Deployment, address: string): Promise<number> {
  const headers = { 'x-forwarded-for': address };
  const body = 'x'.repeat(900_000);
  return (await fetch(`${url}${ALPHA}`, { method: 'POST', headers, body })).status;
}

/** What is in use of the folder in which a proxy keeps bodies, files without a name among it. */
export async function kilobytesInProxy({ exec }: Deployment): Promise<number> {
  const line = (await exec('proxy', 'df', '-k', '/tmp')).split('\n').at(-1) ?? '';
  return Number(line.split(/\s+/)[2]);
}
