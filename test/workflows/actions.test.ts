import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ConfigSchema } from '../../config.ts';
import { TIMES_RARER } from '../../domain/poll-cadence.ts';
import { COSTS, documentedActions } from './actions.ts';

// What a run of each kind costs is held by the tests of the workflows.

const SCALING = readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8');

const scheduled = (what: string) => documentedActions(`${what}, with its Schedule`);
const ticked = (what: string) => documentedActions(`${what}, with its tick`);

const often = ticked('a sweep that finds nothing') + ticked('a reconcile that finds nothing');
/** An hour of the Schedules that an installation without programmes does not have. */
const ofProgrammes =
  scheduled('the look for months that have ended') +
  scheduled('the look for days that have ended') +
  scheduled('the look for nights in which tiers are decided') +
  4 * scheduled('the look for accounts that are silent');
const hourly =
  scheduled('maintenance') +
  scheduled('the signing of statements') +
  scheduled('the look for people to be erased') +
  ofProgrammes;
const polled = scheduled('a poll of a connection');
const DAY = 86_400;
const BACKUP = ConfigSchema.shape.ALPHA_BACKUP_POLL_INTERVAL_SECONDS.parse(undefined);
const SWEEP = ConfigSchema.shape.SWEEP_INTERVAL_SECONDS.parse(undefined);

/** What an installation that stands still takes in a day. */
const idle = (seconds: number) =>
  (DAY / seconds) * often + 24 * hourly + scheduled('the verification of a day');

it('docs/temporal-cloud.md adds up what a day costs', () => {
  const poll = ConfigSchema.shape.ALPHA_POLL_INTERVAL_SECONDS.parse(undefined);
  const text = COSTS.replaceAll('\n', ' ');
  const figures = [
    `${idle(SWEEP).toLocaleString('en')} actions a day`,
    `${idle(300).toLocaleString('en')} a day with 300`,
    `${24 * ofProgrammes} a day are of Schedules that an installation without programmes`,
    `${(DAY / (TIMES_RARER * BACKUP)) * polled} a day where webhooks have brought`,
    `${(DAY / BACKUP) * polled} on the first such day`,
    `${((DAY / poll) * polled).toLocaleString('en')} otherwise`,
  ];
  expect(figures.filter((figure) => !text.includes(figure))).toEqual([]);
});

/** In dollars a million, from the first million on that a plan does not include. */
const TIERS = [
  { millions: 5, price: 50 },
  { millions: 5, price: 45 },
  { millions: 10, price: 40 },
  { millions: 30, price: 35 },
] as const;
const PLANS = [
  { price: 100, millions: 1 },
  { price: 500, millions: 2.5 },
] as const;

/** The monthly bill of the cheaper plan, by the prices that docs/scaling.md names. */
function billOf(actions: number): string {
  const bills = PLANS.map((plan) => {
    let left = Math.max(0, actions / 1e6 - plan.millions);
    let bill: number = plan.price;
    for (const { millions, price } of TIERS) {
      bill += Math.min(left, millions) * price;
      left = Math.max(0, left - millions);
    }
    return bill;
  });
  return `$${Math.round(Math.min(...bills)).toLocaleString('en')}`;
}

it.each([10, 100, 1_000, 10_000])('docs/scaling.md says what %i shops cost a month', (shops) => {
  const sales = 1_000 * shops;
  const perSale =
    documentedActions('a sale, known at once') / 2 +
    documentedActions('a sale whose customer the provider is asked for') / 2 +
    documentedActions('a code: its mail, and the end of its life') / 20;
  const comparison = documentedActions('the comparison of a day of a connection') + 1;
  const aDay = (DAY / (TIMES_RARER * BACKUP)) * polled + comparison;
  const actions = sales * perSale + 30 * (shops * aDay + idle(SWEEP));
  const [shown, many] = [shops.toLocaleString('en'), sales.toLocaleString('en')];
  const row = new RegExp(`^\\| ${shown} \\| ${many} \\|.*$`, 'm').exec(SCALING)?.[0];
  const costs = `${billOf(actions)} | ${billOf(actions * 1.1)}`;
  expect(row).toContain(`| ${(actions / 1e6).toFixed(1)} million | ${costs} |`);
});
