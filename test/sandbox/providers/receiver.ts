import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from '../../../sandbox/processes/listen.ts';

type Received = { headers: IncomingHttpHeaders; body: string };

/** Starts a webhook receiver that records requests and responds by `answer`, by default 200. */
export async function startReceiver(
  answer: (response: ServerResponse, attempt: number) => void = (response) => response.end(),
) {
  const received: Received[] = [];
  const listener = await listenOnLoopback(0);
  listener.answerWith(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    answer(response, received.length);
  });
  return { url: `${listener.url}/api/v1/webhooks/alpha`, received, stop: listener.stop };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
