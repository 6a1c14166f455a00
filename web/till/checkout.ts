import { isLoyaltyError, type LoyaltyClient, type Result } from '../../sdk/index.ts';
import { newKey } from '../shared/random.ts';

export type Found = Result<'lookupRedemption'>;

/** What becomes of a code at the till. */
export type Step =
  | { at: 'ready' }
  | { at: 'looking'; code: string; isSlow: boolean }
  | { at: 'found'; found: Found; isReadable: boolean }
  | { at: 'taking'; found: Found; isSlow: boolean }
  | { at: 'taken'; found: Found }
  /** It cannot be taken: by what it is, or because the service refuses. Unknown without either. */
  | { at: 'refused'; code: string; found?: Found; error?: Error }
  /** It could not be looked up. */
  | { at: 'failed'; code: string; error: Error }
  /** No answer came, so nobody knows whether it was taken. */
  | { at: 'unsure'; found: Found; error?: Error };

export type Signal = 'found' | 'taken' | 'refused';

export type CheckoutState = { step: Step; waiting: string | undefined };

/** Takes codes, one after the other, for as long as the till is open. */
export type Checkout = {
  state(): CheckoutState;
  subscribe(listener: () => void): () => void;
  /** Looks a code up; while another one is being taken, when that has ended. */
  scan(code: string): void;
  /** Does what comes next: takes what was found, or tries again. */
  enter(): void;
  /** Leaves the code, and gives up what is under way. */
  cancel(): void;
  /** Ends a look-up. A code that is being taken is taken to the end. */
  close(): void;
};

/** Before that, nobody has read the amount: a scanner's own Enter takes nothing unseen. */
const READABLE_AFTER_MS = 300;
const SLOW_AFTER_MS = 5_000;
const TAKEN_SHOWN_MS = 4_000;
const READY: Step = { at: 'ready' };

/** Where codes are looked up and taken. */
type Shop = { client: LoyaltyClient; shop: string };

/** Makes the checkout of a shop. `onSignal` is told what is to be heard, `onTaken` what changed. */
export function createCheckout(
  deps: Shop & { onSignal(signal: Signal): void; onTaken(): void },
): Checkout {
  const listeners = new Set<() => void>();
  let state: CheckoutState = { step: READY, waiting: undefined };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underWay = new AbortController();
  /** Under which the service takes the code once, however often it is sent. */
  let key = '';

  const publish = (next: CheckoutState) => {
    state = next;
    for (const listener of listeners) listener();
  };
  const become = (step: Step) => {
    clearTimeout(timer);
    const next = nextOf(step);
    if (next !== undefined) timer = setTimeout(() => become(next.step), next.afterMs);
    publish({ ...state, step });
  };
  const begin = () => {
    underWay.abort();
    underWay = new AbortController();
    return underWay.signal;
  };
  const settle = (step: Step) => {
    become(step);
    if (step.at === 'taken') deps.onTaken();
    if (step.at === 'found' || step.at === 'taken' || step.at === 'refused') {
      deps.onSignal(step.at);
    }
  };
  const look = async (code: string) => {
    const signal = begin();
    publish({ ...state, waiting: undefined });
    become({ at: 'looking', code, isSlow: false });
    const step = await lookUp(deps, code, signal);
    if (!signal.aborted) settle(step);
  };
  const take = async (found: Found) => {
    const signal = begin();
    become({ at: 'taking', found, isSlow: false });
    settle(await complete(deps, found, { signal, idempotencyKey: key }));
    if (state.step.at === 'taken' && state.waiting !== undefined) await look(state.waiting);
  };

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    scan(code) {
      const { at } = state.step;
      if (at === 'taking' || at === 'unsure') publish({ ...state, waiting: code });
      else void look(code);
    },
    enter() {
      const { step } = state;
      if (step.at === 'found' && step.isReadable) {
        key = newKey();
        void take(step.found);
      } else if (step.at === 'unsure') void take(step.found);
      else if (step.at === 'failed') void look(step.code);
    },
    cancel() {
      if (state.step.at === 'taking') return underWay.abort();
      begin();
      if (state.waiting === undefined) become(READY);
      else void look(state.waiting);
    },
    close() {
      clearTimeout(timer);
      if (state.step.at === 'looking') underWay.abort();
    },
  };
}

/** What a step becomes by itself, and when. */
function nextOf(step: Step): { afterMs: number; step: Step } | undefined {
  switch (step.at) {
    case 'looking':
    case 'taking':
      return step.isSlow ? undefined : { afterMs: SLOW_AFTER_MS, step: { ...step, isSlow: true } };
    case 'found':
      return step.isReadable
        ? undefined
        : { afterMs: READABLE_AFTER_MS, step: { ...step, isReadable: true } };
    case 'taken':
      return { afterMs: TAKEN_SHOWN_MS, step: READY };
    default:
      return undefined;
  }
}

async function lookUp({ client, shop }: Shop, code: string, signal: AbortSignal): Promise<Step> {
  try {
    const found = await client.lookupRedemption({ body: { code } }, { shop, signal });
    return found.status === 'issued'
      ? { at: 'found', found, isReadable: false }
      : { at: 'refused', code, found };
  } catch (cause) {
    const error = errorOf(cause);
    if (isLoyaltyError(error) && error.status === 404) return { at: 'refused', code };
    return isRefusal(error) ? { at: 'refused', code, error } : { at: 'failed', code, error };
  }
}

async function complete(
  { client, shop }: Shop,
  found: Found,
  attempt: { signal: AbortSignal; idempotencyKey: string },
): Promise<Step> {
  const { code } = found;
  try {
    await client.completeRedemption({ body: { code } }, { shop, ...attempt });
    return { at: 'taken', found };
  } catch (cause) {
    if (attempt.signal.aborted) return { at: 'unsure', found };
    const error = errorOf(cause);
    // Another till was faster, or its time was over: what it is now says when, and by whom.
    if (isLoyaltyError(error, 'code_used', 'code_expired', 'code_cancelled')) {
      return lookUp({ client, shop }, code, attempt.signal);
    }
    return isRefusal(error) ? { at: 'refused', code, error } : { at: 'unsure', found, error };
  }
}

function errorOf(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause));
}

/** Whether the service has said no. 409 is a first attempt that goes on, 429 a wait. */
function isRefusal(error: Error): boolean {
  if (!isLoyaltyError(error)) return false;
  return error.status >= 400 && error.status < 500 && ![409, 429].includes(error.status);
}
