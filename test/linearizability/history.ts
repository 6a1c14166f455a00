import type { Operation } from './checker.ts';
import type { WalletRequest } from './wallet.ts';

/** An operation on a wallet, and who asked for it. */
export type Recorded = Operation<WalletRequest> & { caller: string };

/**
 * The history as the checker needs it. Every confirmation names the code that it makes: the one in
 * its answer, or in that of a repeat. Repeats without an answer are left out but for the first,
 * because at most one of them has an effect, and the first could have it whenever another could.
 * Before a sale is done, it is looked how much of the budget is left.
 */
export function judged(history: readonly Recorded[]): Recorded[] {
  const sorted = history.toSorted((one, other) => one.start - other.start);
  const mates = new Map<string, Recorded[]>();
  for (const operation of sorted) {
    const { key } = operation.request;
    if (key !== undefined) mates.set(key, [...(mates.get(key) ?? []), operation]);
  }
  const matesOf = (operation: Recorded): Recorded[] => {
    const { key } = operation.request;
    return key === undefined ? [operation] : (mates.get(key) ?? [operation]);
  };
  const overdueAt = new Map<string, number>();
  for (const { request, answer, end } of sorted) {
    if (request.kind !== 'overdue' || answer === 'not issued') continue;
    overdueAt.set(request.code, Math.min(end, overdueAt.get(request.code) ?? end));
  }
  const isRepeat = (operation: Recorded) =>
    operation.answer === undefined &&
    matesOf(operation).find(({ answer }) => answer === undefined) !== operation;
  return sorted
    .filter((operation) => !isRepeat(operation))
    .flatMap((operation, nth) => {
      const { request } = operation;
      if (request.kind === 'sale') {
        const look = { kind: 'look', sale: request.sale } as const;
        return [{ ...operation, request: look, answer: 'looked' }, operation];
      }
      if (request.kind === 'confirm' || request.kind === 'take') {
        const code = codeOf([operation, ...matesOf(operation)]) ?? `unknown ${nth}`;
        return { ...operation, request: { ...request, code } };
      }
      if (request.kind === 'complete' || request.kind === 'cancel') {
        const answers = matesOf(operation).flatMap(({ answer }) => answer ?? []);
        const isInTime =
          operation.start < (overdueAt.get(request.code) ?? 0) &&
          !answers.some((answer) => answer.startsWith('code_expired'));
        return { ...operation, request: { ...request, isInTime } };
      }
      return operation;
    });
}

function codeOf(operations: readonly Recorded[]): string | undefined {
  for (const { answer } of operations) {
    const [, code] = /^code (\S+)/.exec(answer ?? '') ?? [];
    if (code !== undefined) return code;
  }
  return undefined;
}

/** A line of a history, for people. */
export function lineOf({ caller, request, answer, start, end }: Recorded): string {
  const { kind, key, ...details } = request;
  const until = Number.isFinite(end) ? end.toFixed(1) : 'open';
  const asked = [kind, ...Object.values(details)].join(' ');
  const keyed = key === undefined ? '' : ` [${key}]`;
  return `${start.toFixed(1)}-${until} ${caller}: ${asked}${keyed} -> ${answer ?? 'unknown'}`;
}
