import { expect, it } from 'vitest';
import { ConfigSchema } from '../../config.ts';
import { TIMES_RARER } from '../../domain/poll-cadence.ts';
import { COSTS, documentedActions } from './actions.ts';

// What a run of each kind costs is held by the tests of the workflows.

const scheduled = (what: string) => documentedActions(`${what}, with its Schedule`);
const ticked = (what: string) => documentedActions(`${what}, with its tick`);

it('docs/temporal-cloud.md adds up what a day costs', () => {
  const { SWEEP_INTERVAL_SECONDS, ALPHA_POLL_INTERVAL_SECONDS: poll } = ConfigSchema.shape;
  const backup = ConfigSchema.shape.ALPHA_BACKUP_POLL_INTERVAL_SECONDS.parse(undefined);
  const day = 86_400;
  const often = ticked('a sweep that finds nothing') + ticked('a reconcile that finds nothing');
  const hourly =
    scheduled('maintenance') +
    scheduled('the signing of statements') +
    scheduled('the look for months that have ended') +
    scheduled('the look for days that have ended') +
    scheduled('the look for nights in which tiers are decided') +
    scheduled('the look for people to be erased') +
    4 * scheduled('the look for accounts that are silent');
  const daily = scheduled('the verification of a day');
  const polled = scheduled('a poll of a connection');
  const idle = (seconds: number) => (day / seconds) * often + 24 * hourly + daily;
  const text = COSTS.replaceAll('\n', ' ');
  const figures = [
    `${idle(SWEEP_INTERVAL_SECONDS.parse(undefined)).toLocaleString('en')} actions a day`,
    `${idle(300).toLocaleString('en')} a day with 300`,
    `${(day / (TIMES_RARER * backup)) * polled} a day where webhooks have brought`,
    `${(day / backup) * polled} on the first such day`,
    `${((day / poll.parse(undefined)) * polled).toLocaleString('en')} otherwise`,
  ];
  expect(figures.filter((figure) => !text.includes(figure))).toEqual([]);
});
