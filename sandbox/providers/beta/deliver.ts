import type { DeliveryEntry } from '../shared/journal.ts';

const KEPT_ANSWER_CHARACTERS = 500;

export type Answer = Pick<DeliveryEntry, 'outcome' | 'status' | 'answer' | 'note'>;

/** Posts JSON and says what came of it: only a 200 counts as accepted. */
export async function postJson(
  url: string,
  body: string,
  options: { headers: Readonly<Record<string, string>>; timeoutMs: number; stop: AbortSignal },
): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'beta-sandbox',
        ...options.headers,
      },
      body,
      signal: AbortSignal.any([AbortSignal.timeout(options.timeoutMs), options.stop]),
    });
    const { status } = response;
    const answer = (await response.text()).slice(0, KEPT_ANSWER_CHARACTERS);
    return { outcome: status === 200 ? 'accepted' : 'refused', status, answer };
  } catch (error) {
    const note = error instanceof Error ? String(error.cause ?? error.message) : String(error);
    return { outcome: 'unreachable', note };
  }
}
