import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Answer, nextPath, send } from '../support/http/app.ts';

export type Request = {
  method?: string;
  path: string;
  token: string;
  body?: unknown;
  /** The shop that an operator works in. */
  shop?: string;
};

/** Faults end long before this; what still fails then is a defect. */
const GIVE_UP_MS = 120_000;
const PAUSE_MS = 100;

const Refused = z.object({
  code: z.string(),
  issues: z.array(z.object({ code: z.string() })).optional(),
});

/**
 * Sends a request until the service answers it, under one idempotency key, as a careful client does
 * while processes are killed. `urls` are the APIs, of which each attempt takes another.
 */
export async function ask(urls: readonly string[], request: Request): Promise<Answer> {
  const { token, shop, ...call } = request;
  const headers = {
    'idempotency-key': randomUUID(),
    ...(shop !== undefined && { 'x-tenant-id': shop }),
  };
  let nth = Math.floor(Math.random() * urls.length);
  for (const deadline = Date.now() + GIVE_UP_MS; ; nth++) {
    const url = urls[nth % urls.length] ?? '';
    const path = `/api/v1${request.path}`;
    const answer = await send(url, { ...call, path, token, headers }).catch(() => undefined);
    if (answer !== undefined && !isPassing(answer)) return answer;
    if (Date.now() > deadline) {
      const what = answer === undefined ? 'no response' : JSON.stringify(answer.body);
      throw new Error(`${call.method ?? 'GET'} ${request.path} has failed for long: ${what}`);
    }
    await sleep(PAUSE_MS);
  }
}

/** Whether the same request may be answered otherwise soon. */
function isPassing({ status }: Answer): boolean {
  return status >= 500 || status === 429 || status === 409;
}

/** Returns `ok`, or the code of why the request was refused. */
export function outcomeOf(answer: Answer): string {
  if (answer.status < 300) return 'ok';
  const { code, issues } = Refused.parse(answer.body);
  return issues?.[0]?.code ?? code;
}

/** Sends a request that must succeed, and parses its response. */
export async function askFor<T>(
  urls: readonly string[],
  schema: z.ZodType<T>,
  request: Request,
): Promise<T> {
  const answer = await ask(urls, request);
  if (answer.status >= 300) {
    const refused = JSON.stringify(answer.body);
    throw new Error(`${request.path} answered ${answer.status}: ${refused}`);
  }
  return schema.parse(answer.body);
}

/** Asks for a list page by page, and yields the answers, the last of which may be a refusal. */
export async function* pagesOf(
  urls: readonly string[],
  request: Request,
): AsyncGenerator<Answer, void, undefined> {
  for (let path: string | undefined = request.path; path !== undefined; ) {
    const answer = await ask(urls, { ...request, path });
    yield answer;
    path = nextPath(answer)?.replace('/api/v1', '');
  }
}

/** Reads all pages of a list. */
export async function askForAll<T>(
  urls: readonly string[],
  item: z.ZodType<T>,
  request: Request,
): Promise<T[]> {
  const items: T[] = [];
  for await (const { body } of pagesOf(urls, request)) items.push(...z.array(item).parse(body));
  return items;
}
