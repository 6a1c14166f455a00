import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { isLoyaltyError, type LoyaltyError } from '../../sdk/index.ts';
import { newKey } from './random.ts';

/**
 * Carries out a command of a person once, however often they press: while it runs, and with the
 * key that the service knows it by, also when it is tried again after a failure on the way. Another
 * input is another command. The queries that it changes are read again.
 */
export function useSubmit<Input, Result>(options: {
  send(input: Input, attempt: { idempotencyKey: string }): Promise<Result>;
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
  const mutation = useMutation({
    mutationFn: (input: Input) => {
      const text = JSON.stringify(input ?? null);
      if (attempt.current?.input !== text) attempt.current = { input: text, key: newKey() };
      return options.send(input, { idempotencyKey: attempt.current.key });
    },
    onError: (error, input) => {
      // What was refused for good may be allowed later: then it is a new attempt.
      if (isLoyaltyError(error) && error.status >= 400 && error.status < 500) {
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
    isRunning: mutation.isPending,
    error: mutation.error,
    result: mutation.data,
    reset: mutation.reset,
  };
}
