import { seenByAll } from './model/campaigns.ts';
import { type Closing, closed, inSomeOrder, overdue } from './model/closing.ts';
import { answerToErase, closedWallet, type ErasedBy, forget, renamed } from './model/erasing.ts';
import { firstWorld } from './model/first-world.ts';
import { type Gift, givenInSomeOrder } from './model/giving.ts';
import { nextsOf, withReached } from './model/nexts.ts';
import { afterMonth, skippedMonth } from './model/owing.ts';
import {
  type Answer,
  answerToRedeem,
  cancelOpen,
  expireOverdue,
  gotInSomeOrder,
  type RewardAttempt,
  redeemed,
  statusShown,
} from './model/redeeming.ts';
import {
  type Account,
  balanceOf,
  FIRST_STATE,
  hasWallet,
  type NewSale,
  ownerOfNew,
  paid,
  type Rule,
  type State,
  skipReasonOf,
  type TierChange,
  UNKNOWN,
  type Version,
  type World,
  withPayment,
} from './model/state.ts';
import { answerInTeam, joinAtFirst, type TeamRequest } from './model/team.ts';
import { afterNight } from './model/tiers.ts';
import { type View, viewOf } from './model/view.ts';
import type { Campaign, Policies, Provider, Reward, Tier } from './steps.ts';

/** What was observed cannot be: the service is wrong, or the model is. */
export class Contradiction extends Error {
  override readonly name: string = 'Contradiction';
}

/**
 * The documented rules of points, without any code of the service.
 *
 * What the providers and requests did is certain. When the service learns of a sale, recognises a
 * sign-up, expires a code or applies a rule with a date is not: the model holds every state that
 * the service may be in by now, and drops those that an answer contradicts. When none is left, the
 * service has done what no order of events explains.
 */
export class Model {
  readonly world: World;
  #states: State[] = [FIRST_STATE];

  constructor(policies: Policies, currency = 'USD') {
    this.world = firstWorld(policies, currency);
  }

  get size(): number {
    return this.#states.length;
  }

  sale(name: string, sale: NewSale, version: Version): void {
    const nth = this.world.sales.size;
    const unknown = { versions: [], mustKnow: -1, isPassedOver: false, nth };
    this.world.sales.set(name, { ...sale, ...unknown, owner: ownerOfNew(this.world, sale) });
    this.#each((state) => withPayment(state, name, UNKNOWN));
    this.version(name, version);
  }

  /** A sale changes at its provider. */
  version(name: string, version: Version): void {
    const sale = this.world.sales.get(name);
    if (sale === undefined) throw new Error(`There is no sale ${name}.`);
    sale.versions.push(version);
    sale.isPassedOver = this.world.taken.has(sale.provider);
    const isTold = this.world.connected.has(sale.provider) && sale.owner === 'shop';
    if (isTold) sale.mustKnow = sale.versions.length - 1;
  }

  /**
   * A person signs in with these contacts. Somebody invited becomes an operator with the first
   * sign-in, if the e-mail is verified.
   */
  signedIn(person: string, account: Account): void {
    this.#spread();
    const { accounts } = this.world;
    const isNew = !accounts.has(person);
    accounts.set(person, account);
    if (isNew) joinAtFirst(this.world, person);
  }

  /** Somebody asked to change who works at the till. */
  askedInTeam(request: TeamRequest, person: string, answer: Answer): void {
    const expected = answerInTeam(this.world, request, person);
    if (answer === expected) return;
    throw new Contradiction(`To ${request} ${person} was answered ${answer}, not ${expected}.`);
  }

  /** The time of a person's invite is over. */
  lapsed(person: string): void {
    this.world.invites.set(person, 'lapsed');
  }

  /** Whoever is suspended has no open code any more. */
  suspended(person: string, isSuspended: boolean): void {
    this.#stopped(this.world.suspended, person, isSuspended);
  }

  /** Somebody asked to have a person erased. */
  askedToErase(person: string, by: ErasedBy, answer: Answer): void {
    const expected = answerToErase(this.world, person, by);
    if (answer === expected) return;
    throw new Contradiction(`To erase ${person} was answered ${answer}, not ${expected}.`);
  }

  /**
   * A person was erased, and is called `ghost` from now on. Sales may have come meanwhile, and a
   * code: before their open codes were cancelled, or after that.
   */
  erased(person: string, ghost: string, code?: { points: number; code: string }): void {
    const begun = (state: State) => cancelOpen(this.world, state, person);
    this.#observe(`${person} was erased, and got ${JSON.stringify(code)}`, (state) => {
      if (code === undefined) return begun(state);
      return [state, begun(state)].flatMap((each) => {
        const after = redeemed(this.world, each, { person, ...code }, 'ok');
        return after === undefined ? [] : [begun(after)];
      });
    });
    this.world.suspended.add(person);
    this.#spread();
    forget(this.world, person, ghost);
    this.#each((state) => renamed(state, person, ghost));
    this.#spread();
    this.#each((state) => closedWallet(this.world, state, ghost));
  }

  suspendedShop(isSuspended: boolean): void {
    this.#spread();
    const isLifted = this.world.isShopSuspended && !isSuspended;
    if (isLifted) this.#each((state) => expireOverdue(this.world, state));
    this.world.isShopSuspended = isSuspended;
    if (isSuspended) this.world.wasShopSuspended = true;
  }

  /** A person who is suspended, or the merchant, asked for something that is their own. */
  askedSuspended(person: string, answer: Answer): void {
    if (answer === 'suspended') return;
    throw new Contradiction(`${person}, who is suspended, was answered ${answer}.`);
  }

  published(rule: Rule): void {
    this.#spread();
    this.world.rules.push(rule);
    const version = this.world.rules.length;
    if (rule.from === 'now') {
      this.#each((state) => ({ ...state, rules: [...state.rules, version] }));
    }
  }

  /** From now on the points of sales wait, or do not, and tiers multiply, or do not. */
  promised(
    windowDays: number,
    validityMonths: number | null = null,
    tiers: readonly Tier[] = [],
  ): void {
    this.#spread();
    Object.assign(this.world, { windowDays, validityMonths, tiers });
  }

  /** The tiers of a night were decided, but for a suspended shop. */
  decidedTiers(day: number, isDone: boolean): void {
    this.#observe(`The tiers of day ${day} were decided: ${isDone}`, (state) => {
      if (isDone === this.world.isShopSuspended) return undefined;
      return isDone ? afterNight(this.world, state, day) : state;
    });
  }

  /** From the next sale on a campaign gives more points. */
  campaign(campaign: Campaign): void {
    this.#spread();
    this.world.campaigns.push({ ...campaign, since: this.world.sales.size, until: null });
  }

  /** From the next sale on the oldest campaign that has not ended gives nothing. */
  endedCampaign(): void {
    const campaign = this.world.campaigns.find(({ until }) => until === null);
    if (campaign !== undefined) campaign.until = this.world.sales.size;
  }

  reward(reward: Reward): void {
    this.world.rewards.push({ ...reward, isEnded: false });
  }

  endedReward(nth: number): void {
    const reward = this.world.rewards[nth];
    if (reward !== undefined) reward.isEnded = true;
  }

  /** People wanted one of a reward, all at the same moment. */
  gotReward(nth: number, attempts: readonly RewardAttempt[]): void {
    const said = attempts.map(({ person, answer }) => `${person} ${answer}`).join(', ');
    this.#observe(`Reward ${nth} was wanted: ${said}`, (state) =>
      gotInSomeOrder(this.world, state, nth, attempts),
    );
  }

  /** A month ahead was ended: the points that are due by then have expired. */
  endedMonth(ahead: number, skipped: string | null): void {
    this.#observe(`A month was ended ${ahead} ahead: ${skipped ?? 'taken'}`, (state) => {
      if (skipReasonOf(this.world, state) !== skipped) return undefined;
      return skipped === null ? afterMonth(this.world, state, ahead) : skippedMonth(state, ahead);
    });
  }

  disconnected(provider: Provider): void {
    this.world.connected.delete(provider);
    this.world.revoked.delete(provider);
  }

  /** The provider refuses the tokens from now on, and tells nothing any more. */
  revoked(provider: Provider): void {
    this.world.connected.delete(provider);
    this.world.revoked.add(provider);
  }

  /**
   * The shop tried to connect its account. Once it is, what was sold while nobody had it is the
   * shop's; alpha is polled for what was missed since another tenant left, and finds it if the
   * clocks agree; what beta did not deliver may stay unknown.
   */
  connecting(provider: Provider, outcome: string, { finds = true } = {}): void {
    const { connected, revoked, taken, sales } = this.world;
    this.#expectOutcome(outcome, taken.has(provider) ? 'merchant_taken' : 'connected');
    if (outcome !== 'connected') return;
    connected.add(provider);
    revoked.delete(provider);
    for (const sale of sales.values()) {
      if (sale.provider !== provider) continue;
      if (sale.owner === 'nobody') sale.owner = 'shop';
      const isFound = provider === 'alpha' && finds && !sale.isPassedOver;
      if (isFound && sale.owner === 'shop') sale.mustKnow = sale.versions.length - 1;
    }
  }

  /**
   * Another tenant tried to connect the same account. Once it is theirs, so is what was sold since
   * the shop had it. What the shop sold before stays the shop's; it is learnt if it is delivered.
   */
  rivalConnecting(provider: Provider, outcome: string): void {
    const { connected, revoked, taken, everTaken, sales } = this.world;
    const isOurs = connected.has(provider) || revoked.has(provider);
    this.#expectOutcome(outcome, isOurs ? 'merchant_taken' : 'connected');
    if (outcome !== 'connected') return;
    taken.add(provider);
    everTaken.add(provider);
    for (const sale of sales.values()) {
      if (sale.provider !== provider) continue;
      if (sale.owner === 'nobody') sale.owner = 'rival';
      // An old sale is nobody's: whoever hears of it stores it.
      if (sale.isOld || !sale.isDated) sale.owner = 'either';
      Object.assign(sale, { mustKnow: -1, isPassedOver: true });
    }
  }

  rivalLeft(provider: Provider): void {
    this.world.taken.delete(provider);
  }

  /** The shop tried to connect an account of another currency, which changes nothing. */
  connectingForeign(outcome: string): void {
    this.#expectOutcome(outcome, 'currency_mismatch');
  }

  #expectOutcome(outcome: string, expected: string): void {
    if (outcome === expected) return;
    throw new Contradiction(`An account was to be connected: ${outcome}, not ${expected}.`);
  }

  /** A person read their wallet; undefined if they had none. */
  sawBalance(person: string, balance: number | undefined): void {
    this.#observe(`${person} was shown ${balance ?? 'no wallet'}`, (state) => {
      const expected = hasWallet(state, person) ? balanceOf(state, person) : undefined;
      return expected === balance ? state : undefined;
    });
  }

  previewed(asked: { person: string; points: number }, answer: Answer): void {
    const what = `${asked.person} previewed ${asked.points} points: ${answer}`;
    this.#observe(what, (state) =>
      answerToRedeem(this.world, state, asked) === answer ? state : undefined,
    );
  }

  confirmed(asked: { person: string; points: number; code: string }, answer: Answer): void {
    const { person, points } = asked;
    this.#observe(`${person} confirmed ${points} points: ${answer}`, (state) =>
      redeemed(this.world, state, asked, answer),
    );
  }

  burned(code: string, by: string | null, answer: Answer): void {
    const closing = { kind: 'burn', by, answer } as const;
    this.#observe(`Code ${code} was completed: ${answer}`, (state) =>
      closed(this.world, state, code, closing),
    );
  }

  cancelled(code: string, by: string, answer: Answer): void {
    const closing = { kind: 'cancel', by, answer } as const;
    this.#observe(`Code ${code} was cancelled by ${by}: ${answer}`, (state) =>
      closed(this.world, state, code, closing),
    );
  }

  /** All of this happened to a code at the same moment, in one order or another. */
  raced(code: string, closings: readonly Closing[]): void {
    const said = closings.map(({ kind, answer }) => `${kind} ${answer}`).join(', ');
    this.#observe(`Code ${code} had at the same moment: ${said}`, (state) =>
      inSomeOrder(this.world, state, code, closings),
    );
  }

  lookedUp(code: string, status: string): void {
    this.#observe(`Code ${code} was shown as ${status}`, (state) =>
      statusShown(state, code) === status ? state : undefined,
    );
  }

  /** The time of a code is over. */
  overdue(code: string): void {
    this.#spread();
    this.#each((state) => overdue(state, code));
  }

  /** A wallet that is frozen has no open code any more. */
  froze(person: string, isFrozen: boolean): void {
    this.#stopped(this.world.frozen, person, isFrozen);
  }

  #stopped(all: Set<string>, person: string, isStopped: boolean): void {
    this.#spread();
    if (isStopped) this.#each((state) => cancelOpen(this.world, state, person));
    else if (all.has(person)) this.#each((state) => expireOverdue(this.world, state, person));
    if (isStopped) all.add(person);
    else all.delete(person);
  }

  adjusted(person: string, points: number, answer: Answer): void {
    this.#observe(`${person} was given ${points} points: ${answer}`, (state) => {
      const isPossible = balanceOf(state, person) + points >= 0;
      if (answer !== (isPossible ? 'ok' : 'insufficient_balance')) return undefined;
      if (!isPossible) return state;
      const adjusted = { ...state.adjusted, [person]: (state.adjusted[person] ?? 0) + points };
      const up = (state.adjustedUp[person] ?? 0) + Math.max(0, points);
      const adjustedUp = { ...state.adjustedUp, [person]: up };
      return paid({ ...state, adjusted, adjustedUp }, person);
    });
  }

  /** A sale was to be attached to these people, all at the same moment. */
  gave(sale: string, gifts: readonly Gift[]): void {
    const said = gifts.map(({ person, answer }) => `${person} ${answer}`).join(', ');
    this.#observe(`Sale ${sale} was to be attached: ${said}`, (state) =>
      givenInSomeOrder(this.world, state, sale, gifts),
    );
  }

  /** The views of all states in which nothing is left to be done. */
  settledViews(): View[] {
    return this.#settled().map((state) => viewOf(this.world, state));
  }

  /** What was told of tiers, in each of the states. */
  tierChanges(): (readonly TierChange[])[] {
    const ways = new Map(
      this.#states.map(({ tierChanges }) => [JSON.stringify(tierChanges), tierChanges]),
    );
    return [...ways.values()];
  }

  /** Everything came to its end, and this is what the service shows. */
  settledAs(view: View): void {
    const text = JSON.stringify(view);
    const states = this.#settled();
    this.#states = states
      .filter((state) => JSON.stringify(viewOf(this.world, state)) === text)
      .map((state) => seenByAll(this.world, state));
    if (this.#states.length === 0) throw new Contradiction('No order of events ends like this.');
  }

  #settled(): State[] {
    this.#spread();
    return this.#states.filter((state) => nextsOf(this.world, state).every(({ isDue }) => !isDue));
  }

  /** Keeps the states in which this could be answered, each as it is afterwards. */
  #observe(what: string, next: (state: State) => State | readonly State[] | undefined): void {
    this.#spread();
    const states = this.#states.flatMap((state) => next(state) ?? []);
    if (states.length === 0) {
      const [first] = this.#states;
      const seen = JSON.stringify(first && viewOf(this.world, first));
      const among = `${this.#states.length} states, among them ${seen}`;
      throw new Contradiction(`${what}, which is right in none of ${among}.`);
    }
    this.#states = states;
  }

  #each(next: (state: State) => State): void {
    this.#states = this.#states.map(next);
  }

  /** Adds every state that the service may have reached by itself meanwhile. */
  #spread(): void {
    this.#states = withReached(this.world, this.#states);
  }
}
