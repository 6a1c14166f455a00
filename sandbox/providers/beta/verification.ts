import type { Journal } from '../shared/journal.ts';
import type { Random } from '../shared/random.ts';
import { type AttemptResult, postJson } from './deliver.ts';

export type Verification = AttemptResult & { verificationCode: string };

/**
 * Posts the verification of a newly registered URL: only a code, without the webhook secret, which
 * does not exist before it. Returns the response, which is also in the journal.
 */
export async function sendVerification(parts: {
  random: Random;
  journal: Journal;
  now: () => Date;
  webhookUrl: string;
  timeoutMs: number;
}): Promise<Verification> {
  const verificationCode = parts.random.uuid();
  const at = parts.now().toISOString();
  const answer = await postJson(parts.webhookUrl, JSON.stringify({ verificationCode }), {
    headers: {},
    timeoutMs: parts.timeoutMs,
    stop: new AbortController().signal,
  });
  parts.journal.add({
    kind: 'delivery',
    at,
    eventId: verificationCode,
    type: 'verification',
    merchantId: '',
    objectId: '',
    attempt: 1,
    ...answer,
  });
  return { verificationCode, ...answer };
}
