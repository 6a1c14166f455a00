import { withinMs } from '../timing.ts';

/** A look at something that the service depends on. */
export type Check = {
  /** What is looked at, such as `mail server`. */
  name: string;
  /** What to do if it fails. */
  todo: string;
  /** Returns what is right. Throws what is wrong, or `NotKnown`. */
  look(): Promise<string>;
  /** How long it may take, if not ten seconds. */
  withinMs?: number;
};

/** What a check has found: it is right, it is wrong, or it cannot be told from here. */
export type Finding = {
  name: string;
  state: 'ok' | 'failed' | 'unknown';
  text: string;
  /** What to do, unless it is right. */
  todo?: string;
};

/** It cannot be told from here whether this is right; the message says why. */
export class NotKnown extends Error {
  override readonly name = 'NotKnown';
}

const WITHIN_MS = 10_000;

/** Makes all checks at once, and returns what each has found, in their order. Never rejects. */
export function runChecks(checks: readonly Check[]): Promise<Finding[]> {
  return Promise.all(checks.map(run));
}

async function run({ name, todo, look, withinMs: limit = WITHIN_MS }: Check): Promise<Finding> {
  try {
    const message = `there was no answer within ${limit / 1000} seconds`;
    return { name, state: 'ok', text: await withinMs(look(), limit, { message }) };
  } catch (error) {
    const state = error instanceof NotKnown ? 'unknown' : 'failed';
    return { name, state, text: reasonOf(error), todo };
  }
}

/** The error in one line, with the cause that a failed fetch hides. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(reasonOf).join('; ');
  }
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${reasonOf(error.cause)})` : '';
  return `${error.message}${cause}`.replace(/\s+/g, ' ').trim();
}
