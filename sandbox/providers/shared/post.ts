const KEPT_ANSWER_CHARACTERS = 500;

type Answered = { status: number; answer: string };
type Unanswered = { note: string; isTimeout: boolean };

/** Posts a webhook and returns the receiver's answer, or why there was none; never throws. */
export async function post(request: {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  timeoutMs: number;
  stop: AbortSignal;
}): Promise<Answered | Unanswered> {
  const { url, headers, body, stop } = request;
  const timeout = AbortSignal.timeout(request.timeoutMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      // To the providers a redirect is a failure.
      redirect: 'manual',
      headers,
      body,
      signal: AbortSignal.any([timeout, stop]),
    });
    const answer = (await response.text()).slice(0, KEPT_ANSWER_CHARACTERS);
    return { status: response.status, answer };
  } catch (error) {
    const note = error instanceof Error ? String(error.cause ?? error.message) : String(error);
    return { note, isTimeout: timeout.aborted };
  }
}
