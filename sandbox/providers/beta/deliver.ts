import type { DeliveryEntry } from '../shared/journal.ts';
import { post } from '../shared/post.ts';

export type AttemptResult = Pick<DeliveryEntry, 'outcome' | 'status' | 'answer' | 'note'>;

/** Posts JSON, which only status 200 accepts; never throws. */
export async function postJson(
  url: string,
  body: string,
  options: { headers: Readonly<Record<string, string>>; timeoutMs: number; stop: AbortSignal },
): Promise<AttemptResult> {
  const own = { 'Content-Type': 'application/json', 'User-Agent': 'beta-sandbox' };
  const headers = { ...own, ...options.headers };
  const reply = await post({ ...options, url, body, headers });
  if ('note' in reply) return { outcome: 'unreachable', note: reply.note };
  return { outcome: reply.status === 200 ? 'accepted' : 'refused', ...reply };
}
