// The documented rules of points, written down a second time: this file shares no code with the
// service. It folds reports, sign-ups and the lives of codes into balances and outcomes.

export const RATE = { text: 0.3, numerator: 3, denominator: 10 };
export const MIN_SPEND = 10;

export type Person = 'ada' | 'bob' | 'carol' | 'stranger';
export type Sale = { person: Person; amount: number };
/** One report of a sale, as the provider had it at a time. */
export type Report = {
  sale: number;
  state: 'settled' | 'pending' | 'voided';
  isNamed: boolean;
  refundedShare: number;
  time: number;
};
export type ExpiredCodes = 'refund' | 'forfeit';

export const refundOf = ({ state, refundedShare }: Report, { amount }: Sale) =>
  state === 'voided' ? amount : Math.floor(amount * refundedShare);

/** More than the amount is of a tip. */
const countedOf = (report: Report, sale: Sale) => Math.min(sale.amount, refundOf(report, sale));

type SaleState = {
  sale: Sale;
  isCredited: boolean;
  /** Whether a report named the customer, who can then be recognised at sign-up. */
  hasContact: boolean;
  refunded: number;
  asOf: number;
  earned: number;
  reversed: number;
  owed: number;
  owedSince: number;
};
type Code = { person: Person; points: number; isOpen: boolean };

export class Model {
  readonly codes: Code[] = [];
  readonly #states = new Map<number, SaleState>();
  readonly #balances = new Map<Person, number>([
    ['ada', 0],
    ['bob', 0],
    ['carol', 0],
  ]);
  readonly #members = new Set<Person>(['ada', 'bob']);
  readonly #sales: readonly Sale[];
  #clock = 0;

  constructor(sales: readonly Sale[]) {
    this.#sales = sales;
  }

  /** Applies reports that are ingested together: first what is new, then what changes it. */
  ingest(reports: readonly Report[]): string[] {
    const outcomes = new Map<number, string>();
    reports.forEach((report, nth) => {
      if (report.state === 'pending') outcomes.set(nth, 'ignored');
      else if (!this.#states.has(report.sale)) outcomes.set(nth, this.#store(report));
    });
    return reports.map((report, nth) => outcomes.get(nth) ?? this.#change(report));
  }

  signUp(person: Person): void {
    this.#members.add(person);
    for (const state of this.#states.values()) {
      if (state.sale.person === person && state.hasContact) this.#credit(state);
    }
  }

  /** Redeems a share of the balance, and returns the points; 0 when there are none. */
  confirm(person: Person, share: number): number {
    const points = Math.floor(this.#balanceOf(person) * share);
    if (points === 0) return 0;
    this.codes.push({ person, points, isOpen: true });
    this.#add(person, -points);
    return points;
  }

  use(code: Code): void {
    this.#close(code, 0);
  }

  expire(code: Code, policy: ExpiredCodes): void {
    this.#close(code, policy === 'refund' ? code.points : 0);
  }

  balances(): Record<string, number> {
    return Object.fromEntries(this.#balances);
  }

  /** What is refunded, earned, reversed and owed of each sale that is stored. */
  sales(): Record<string, number[]> {
    const rows = [...this.#states].map(([nth, { refunded, earned, reversed, owed }]) => [
      `P${nth}`,
      [refunded, earned, reversed, owed],
    ]);
    return Object.fromEntries(rows);
  }

  #store(report: Report): string {
    const sale = this.#sales[report.sale];
    if (sale === undefined) throw new Error('No such sale.');
    const state: SaleState = {
      sale,
      isCredited: false,
      hasContact: report.isNamed,
      refunded: countedOf(report, sale),
      asOf: report.time,
      earned: 0,
      reversed: 0,
      owed: 0,
      owedSince: 0,
    };
    this.#states.set(report.sale, state);
    if (!report.isNamed || !this.#members.has(sale.person)) return 'stored_anonymous';
    this.#credit(state);
    return 'credited';
  }

  #change(report: Report): string {
    const state = this.#states.get(report.sale);
    if (state === undefined) throw new Error('No such state.');
    const { sale } = state;
    const refunded = countedOf(report, sale);
    if (report.time > state.asOf) Object.assign(state, { refunded, asOf: report.time });
    else if (report.time === state.asOf) state.refunded = Math.max(state.refunded, refunded);
    if (!state.isCredited) {
      state.hasContact ||= report.isNamed;
      if (!report.isNamed || !this.#members.has(sale.person)) return 'duplicate';
      this.#credit(state);
      return 'credited';
    }
    return this.#fit(state) ? 'refund_reversed' : 'duplicate';
  }

  #credit(state: SaleState): void {
    if (state.isCredited) return;
    const { sale } = state;
    const { numerator, denominator } = RATE;
    const isEnough = sale.amount >= MIN_SPEND;
    state.isCredited = true;
    state.earned = isEnough ? Math.floor((sale.amount * numerator) / denominator) : 0;
    state.reversed = targetOf(state);
    if (state.earned > 0) this.#receive(sale.person, state.earned - state.reversed);
  }

  /** Fits the points of a credited sale to what is refunded. */
  #fit(state: SaleState): boolean {
    const { person } = state.sale;
    const due = targetOf(state) - state.reversed - state.owed;
    if (due > 0) {
      const taken = Math.min(due, this.#balanceOf(person));
      if (state.owed === 0) state.owedSince = ++this.#clock;
      state.reversed += taken;
      state.owed += due - taken;
      this.#add(person, -taken);
    } else if (due < 0) {
      const released = Math.min(-due, state.owed);
      state.owed -= released;
      state.reversed += due + released;
      this.#receive(person, -due - released);
    }
    return due !== 0;
  }

  #close(code: Code, returned: number): void {
    if (!code.isOpen) return;
    code.isOpen = false;
    this.#receive(code.person, returned);
  }

  /** Adds points, which pay what the person owes, the oldest debt first. */
  #receive(person: Person, points: number): void {
    this.#add(person, points);
    const debts = this.#debtsOf(person).sort((one, two) => one.owedSince - two.owedSince);
    for (const debt of debts) {
      const paid = Math.min(this.#balanceOf(person), debt.owed);
      debt.owed -= paid;
      debt.reversed += paid;
      this.#add(person, -paid);
    }
  }

  #debtsOf(person: Person): SaleState[] {
    return [...this.#states.values()].filter(({ sale }) => sale.person === person);
  }

  #balanceOf(person: Person): number {
    return this.#balances.get(person) ?? 0;
  }

  #add(person: Person, points: number): void {
    this.#balances.set(person, this.#balanceOf(person) + points);
  }
}

function targetOf({ earned, refunded, sale: { amount } }: SaleState): number {
  return amount === 0 ? 0 : Math.floor((earned * Math.min(refunded, amount)) / amount);
}
