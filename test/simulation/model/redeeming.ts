import { mostOf } from './points.ts';
import {
  availableOf,
  balanceOf,
  type Code,
  paid,
  pastTaken,
  recentPoints,
  ruleOf,
  type State,
  TILL,
  type World,
  withCode,
} from './state.ts';

/** How a request ended: `ok`, or the code of the refusal's issue. */
export type Answer = string;

/** What a request to redeem points is answered, in this state. */
export function answerToRedeem(
  world: World,
  state: State,
  { person, points }: { person: string; points: number },
): Answer {
  const balance = balanceOf(state, person);
  const rule = ruleOf(world, state);
  if (world.isShopSuspended) return 'tenant_suspended';
  if (world.frozen.has(person)) return 'wallet_frozen';
  if (points > balance) return 'insufficient_balance';
  const available = availableOf(state, person);
  if (points > available) return 'points_pending';
  if (rule === undefined) return 'no_rule';
  if (available < rule.terms.minBalance) return 'below_minimum_balance';
  const most = mostOf(available, recentPoints(state, person), rule.terms.percentage);
  if (points > most) return 'above_maximum_share';
  return 'ok';
}

/** The state after a code for points was asked for; undefined if that is not answered like this. */
export function redeemed(
  world: World,
  state: State,
  asked: { person: string; points: number; code: string },
  answer: Answer,
): State | undefined {
  if (answerToRedeem(world, state, asked) !== answer) return undefined;
  if (answer !== 'ok') return state;
  const { person, points, code } = asked;
  const isNot = { isOverdue: false, isCancelled: false, isReturned: false };
  const issued = { person, points, status: 'issued', ...isNot, reward: null } as const;
  return withCode(state, code, { ...issued, usedBy: null });
}

/** A try to get one of a reward, and how it was answered. */
export type RewardAttempt = { person: string; code: string; answer: Answer };

/** How many of a reward are in codes that are open or used. */
export function takenOf({ codes }: State, nth: number): number {
  return Object.values(codes).filter(({ reward, status }) => reward === nth && status !== 'expired')
    .length;
}

/** The states after all of these, which came at the same moment and were answered like this. */
export function gotInSomeOrder(
  world: World,
  state: State,
  nth: number,
  attempts: readonly RewardAttempt[],
): State[] {
  if (attempts.length === 0) return [state];
  return attempts.flatMap((first) => {
    if (answerToReward(world, state, nth, first.person) !== first.answer) return [];
    const others = attempts.filter((attempt) => attempt !== first);
    return gotInSomeOrder(world, got(world, state, nth, first), nth, others);
  });
}

function answerToReward(world: World, state: State, nth: number, person: string): Answer {
  const { price, stock, isEnded } = rewardOf(world, nth);
  if (world.isShopSuspended) return 'tenant_suspended';
  if (world.frozen.has(person)) return 'wallet_frozen';
  if (price > balanceOf(state, person)) return 'insufficient_balance';
  if (price > availableOf(state, person)) return 'points_pending';
  if (ruleOf(world, state) === undefined) return 'no_rule';
  if (isEnded) return 'reward_ended';
  const own = Object.values(state.codes).filter((code) => code.person === person);
  const isOpen = ({ reward, status, isOverdue }: Code) =>
    reward === nth && status === 'issued' && !isOverdue;
  if (own.some(isOpen)) return 'reward_limit';
  return stock !== null && takenOf(state, nth) >= stock ? 'sold_out' : 'ok';
}

function got(world: World, state: State, nth: number, { person, code, answer }: RewardAttempt) {
  if (answer !== 'ok') return state;
  const { price: points } = rewardOf(world, nth);
  const isNot = { isOverdue: false, isCancelled: false, isReturned: false };
  const issued = { person, points, status: 'issued', ...isNot, reward: nth, usedBy: null } as const;
  return withCode(state, code, issued);
}

function rewardOf({ rewards }: World, nth: number) {
  const reward = rewards[nth];
  if (reward === undefined) throw new Error(`There is no reward ${nth}.`);
  return reward;
}

/** What a request to use a code is answered; `by` is the person who asks, if one of the history. */
export function answerToBurn(
  world: World,
  state: State,
  { name, by }: { name: string; by: string | null },
): Answer {
  const code = codeOf(state, name);
  if (by !== null && world.suspended.has(by)) return 'suspended';
  if (by !== null && !world.operators.has(by)) return 'INSUFFICIENT_ROLE';
  if (world.isShopSuspended) return 'tenant_suspended';
  if (by === code.person) return 'own_code';
  return refusalOf(code) ?? 'ok';
}

/** What a request to cancel a code is answered; `by` is the person who asks. */
export function answerToCancel(
  world: World,
  state: State,
  { name, by }: { name: string; by: string },
): Answer {
  const code = codeOf(state, name);
  if (world.suspended.has(by)) return 'suspended';
  if (by !== code.person) return 'NOT_FOUND';
  return refusalOf(code) ?? 'ok';
}

/** Why a code cannot be used or cancelled any more. */
function refusalOf({ status, isCancelled, isOverdue }: Code): Answer | undefined {
  if (status === 'used') return 'code_used';
  if (isCancelled) return 'code_cancelled';
  return status === 'expired' || isOverdue ? 'code_expired' : undefined;
}

/** A code is used, by somebody of the history or by the operator whom every shop has. */
export function burn(state: State, name: string, by: string | null): State {
  const used = { ...codeOf(state, name), status: 'used', usedBy: by ?? TILL } as const;
  return withCode(state, name, used);
}

/** A code is cancelled: its points return whatever the policy. */
export function cancel(world: World, state: State, name: string): State {
  const code = codeOf(state, name);
  const ended = { status: 'expired', isCancelled: true, isReturned: true } as const;
  const back = paid(withCode(state, name, { ...code, ...ended }), code.person);
  return pastTaken(world, back, code.person);
}

/** The codes of a person that could still be used are cancelled. */
export function cancelOpen(world: World, state: State, person: string): State {
  const open = Object.entries(state.codes).filter(
    ([, code]) => code.person === person && code.status === 'issued' && !code.isOverdue,
  );
  return open.reduce((before, [name]) => cancel(world, before, name), state);
}

/**
 * An overdue code expires, and returns its points unless they are forfeited: those of a code that
 * nobody could use never are.
 */
export function expire(world: World, state: State, name: string): State {
  const code = codeOf(state, name);
  const { person } = code;
  const stops = [world.frozen, world.suspended, world.erased];
  const isStopped = stops.some((each) => each.has(person));
  const isReturned = world.policies.expiredCodes === 'refund' || isStopped || world.isShopSuspended;
  const expired = withCode(state, name, { ...code, status: 'expired', isReturned });
  const back = paid(expired, code.person);
  return isReturned ? pastTaken(world, back, person) : back;
}

/** The overdue codes of a person, or of everybody, expire: before what stopped them is lifted. */
export function expireOverdue(world: World, state: State, person?: string): State {
  const overdue = Object.entries(state.codes).filter(
    ([, code]) =>
      (person === undefined || code.person === person) &&
      code.status === 'issued' &&
      code.isOverdue,
  );
  return overdue.reduce((before, [name]) => expire(world, before, name), state);
}

/** Returns a code that was issued. */
export function codeOf(state: State, name: string): Code {
  const code = state.codes[name];
  if (code === undefined) throw new Error(`There is no code ${name}.`);
  return code;
}

/** A code past its time is expired for everybody, whether or not its points have returned yet. */
export function statusShown(state: State, name: string): string {
  const { isOverdue, status } = codeOf(state, name);
  return status === 'issued' && isOverdue ? 'expired' : status;
}
