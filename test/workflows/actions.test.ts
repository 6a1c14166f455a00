import { readFileSync } from 'node:fs';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { expect, it } from 'vitest';
import { ConfigSchema } from '../../config.ts';
import { readHistory } from '../support/histories.ts';
import { countActions } from './actions.ts';

const document = readFileSync(new URL('../../docs/temporal-cloud.md', import.meta.url), 'utf8');

/** The number in a row of the document's table. */
function documented(row: string): number {
  const line = document.split('\n').find((each) => each.startsWith(`| ${row} |`));
  return Number(/^\| [^|]+ \| (\d+)/.exec(line ?? '')?.[1]);
}

const counted = (file: string, isScheduled = false) =>
  countActions(historyFromJSON(readHistory(file)).events ?? [], isScheduled);

const NEW = '0.1.0-alpha.4';
const SCHEDULED = {
  poll: counted('0.1.0-alpha.1/poll-connection.done.json', true),
  sweep: counted('0.1.0-alpha.1/sweep-pending-events.idle.json', true),
  reconcile: counted('0.1.0-alpha.1/reconcile.idle.json', true),
  maintain: counted('0.1.0-alpha.1/maintain.done.json', true),
  statements: counted('0.1.0-alpha.3/sign-statements.signed.json', true),
  verify: counted('0.1.0-alpha.1/verify-ledger.whole.json', true),
};

it.each([
  ['a sale, known at once', counted(`${NEW}/ingest-events.plain.json`)],
  [
    'a sale whose customer the provider is asked for',
    counted(`${NEW}/ingest-events.customer.json`),
  ],
  [
    'a code: its mail, and the end of its life',
    counted('0.1.0-alpha.1/follow-redemptions.used.json'),
  ],
  ['an invite', counted('0.1.0-alpha.1/notify.sent.json')],
  ['a provider connected', counted('0.1.0-alpha.1/exchange-oauth-code.connected.json')],
  ["an event sent to a merchant's system", counted(`${NEW}/deliver-events.delivered.json`)],
  ['a poll of a connection, with its Schedule', SCHEDULED.poll],
  ['a sweep that finds nothing, with its Schedule', SCHEDULED.sweep],
  ['a reconcile that finds nothing, with its Schedule', SCHEDULED.reconcile],
  ['maintenance, with its Schedule', SCHEDULED.maintain],
  ['the signing of statements, with its Schedule', SCHEDULED.statements],
  ['the verification of a day, with its Schedule', SCHEDULED.verify],
])('docs/temporal-cloud.md says what %s costs', (row, actions) => {
  expect(documented(row)).toBe(actions);
});

it('docs/temporal-cloud.md adds up what a day costs', () => {
  const { SWEEP_INTERVAL_SECONDS, ALPHA_POLL_INTERVAL_SECONDS: poll } = ConfigSchema.shape;
  const backup = ConfigSchema.shape.ALPHA_BACKUP_POLL_INTERVAL_SECONDS.parse(undefined);
  const { sweep, reconcile, maintain, statements, verify } = SCHEDULED;
  const day = 86_400;
  const idle = (seconds: number) =>
    (day / seconds) * (sweep + reconcile) + 24 * (maintain + statements) + verify;
  const text = document.replaceAll('\n', ' ');
  const figures = [
    `${idle(SWEEP_INTERVAL_SECONDS.parse(undefined)).toLocaleString('en')} actions a day`,
    `${idle(300).toLocaleString('en')} a day with 300`,
    `${(day / backup) * SCHEDULED.poll} a day where webhooks bring`,
    `${((day / poll.parse(undefined)) * SCHEDULED.poll).toLocaleString('en')} otherwise`,
  ];
  expect(figures.filter((figure) => !text.includes(figure))).toEqual([]);
});
