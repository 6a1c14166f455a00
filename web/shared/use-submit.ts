import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { isLoyaltyError, LoyaltyError } from '../../sdk/index.ts';
import { newKey } from './random.ts';

/** What goes with each sending of a command: its key, and what ends the waiting for an answer. */
export type Attempt = { idempotencyKey: string; signal: AbortSignal };

/** A command as people see it: it runs, it failed, or they wait no longer for its answer. */
export type Command = { isRunning: boolean; error: Error | null; cancel(): void };

/**
 * Carries out a command of a person once, however often they press: while it runs, and with the
 * key that the service knows it by, also when it is tried again after a failure on the way or after
 * they gave up waiting. Another input is another command. What it changes is read again.
 */
export function useSubmit<Input, Result>(options: {
  send(input: Input, attempt: Attempt): Promise<Result>;
  /** The keys of the queries that it changes. */
  changes: readonly (readonly unknown[])[];
  onDone?(result: Result, input: Input): void;
  /** Is told what the service refused for good. */
  onRefused?(error: LoyaltyError, input: Input): void;
}) {
  const queries = useQueryClient();
  const attempt = useRef<{ input: string; key: string } | undefined>(undefined);
  // Not the state of the mutation: a second press may come before the next render.
  const isBusy = useRef(false);
  const waiting = useRef<AbortController>(undefined);
  const mutation = useMutation({
    mutationFn: (input: Input) => {
      const text = JSON.stringify(input ?? null);
      if (attempt.current?.input !== text) attempt.current = { input: text, key: newKey() };
      waiting.current = new AbortController();
      const { signal } = waiting.current;
      const sent = options.send(input, { idempotencyKey: attempt.current.key, signal });
      return Promise.race([sent, reasonOf(signal)]);
    },
    onError: (error, input) => {
      // What was refused for good may be allowed later: then it is a new attempt. A 409 says that
      // the first sending is still being carried out.
      if (
        isLoyaltyError(error) &&
        error.status >= 400 &&
        error.status < 500 &&
        error.status !== 409
      ) {
        attempt.current = undefined;
        options.onRefused?.(error, input);
      }
    },
    onSettled: () => {
      isBusy.current = false;
    },
    onSuccess: async (result, input) => {
      attempt.current = undefined;
      options.onDone?.(result, input);
      await Promise.all(options.changes.map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  return {
    submit: (input: Input) => {
      if (isBusy.current) return;
      isBusy.current = true;
      mutation.mutate(input);
    },
    cancel: () => {
      const message = 'Nobody waits any longer for whether it was done.';
      waiting.current?.abort(new LoyaltyError(message, { code: 'CANCELLED' }));
    },
    isRunning: mutation.isPending,
    error: mutation.error,
    result: mutation.data,
    reset: mutation.reset,
  };
}

/** Fails as soon as a signal is aborted, whatever does not listen to it. */
function reasonOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}
