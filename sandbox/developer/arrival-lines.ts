import type { EventRow } from '../../db/events/event-rows.ts';
import type { LedgerEntry } from '../../db/ledger/postings.ts';
import type { Trail } from '../../db/payments/trail.ts';
import { money, pointsOf } from '../../domain/texts/wording.ts';
import { type Html, html } from '../html.ts';
import { explained } from './explained.ts';
import type { Place } from './place.ts';
import { runUrlOf } from './runs.ts';
import type { Arrival } from './time-machine.ts';

/** Why an event was ignored, in words. */
const IGNORED: Readonly<Record<string, string>> = {
  not_a_payment: 'it is about something else than a sale',
  not_settled: 'the sale is not paid yet, or not any more',
  split: 'it names many sales, which are fetched by events of their own',
};

type StepState = 'done' | 'open' | 'failed';

/** Renders what came in, with each step from its arrival to the ledger. */
export function arrivalLine(place: Pick<Place, 'temporal'>, arrival: Arrival): Html {
  const steps =
    arrival.kind === 'webhook'
      ? webhookSteps(place, arrival.event, arrival.trail)
      : [step(html`Found by a poll`), ...endSteps(arrival.trail, arrival.trail.entries)];
  const title = titleOf(arrival);
  const button = html`<form method="post" action="/time-machine/replay">
<input type="hidden" name="id" value="${arrival.id}">
<button aria-label="Replay: ${title}">Replay</button></form>`;
  return html`<article class="card" id="line-${arrival.id}">
<p><strong>${title}</strong> <span class="muted">${arrival.at.toISOString()}</span></p>
<ol class="steps">${steps}</ol>
${arrival.kind === 'webhook' ? button : undefined}</article>`;
}

function titleOf(arrival: Arrival): string {
  const { trail } = arrival;
  const sale = trail && money(trail.payment.amountMinorUnits, trail.payment);
  if (arrival.kind === 'polled') return `${arrival.trail.payment.provider}, ${sale}`;
  const { provider, eventType } = arrival.event;
  return [`${provider} ${eventType}`, sale].filter((part) => part !== undefined).join(', ');
}

function webhookSteps(
  place: Pick<Place, 'temporal'>,
  event: EventRow,
  trail: Trail | undefined,
): Html[] {
  const run = event.tenantId === null ? null : runUrlOf(place, event);
  const steps = [
    step(html`Received`),
    step(html`Signature verified`),
    step(html`Stored as <code>${event.id}</code>`),
  ];
  if (run !== null) steps.push(step(html`<a href="${run}">Run</a>`));
  if (event.processed) return [...steps, ...closedSteps(event, trail)];
  const error = event.lastError === null ? '' : `: ${event.lastError}`;
  if (event.tenantId === null) {
    return [...steps, step(html`Nobody has connected this account`, 'failed')];
  }
  if (event.nextAttemptAt === null) return [...steps, step(html`Given up${error}`, 'failed')];
  const what = event.attempts === 0 ? 'Not ingested yet' : `Failed, and tried again${error}`;
  return [...steps, step(html`${what}`, 'open')];
}

function closedSteps(event: EventRow, trail: Trail | undefined): Html[] {
  const { outcome, outcomeReason } = event;
  if (outcome === 'ignored') {
    const why = IGNORED[outcomeReason ?? ''] ?? outcomeReason ?? 'it changes nothing';
    return [step(html`Ignored: ${why}`), step(NO_ENTRY)];
  }
  if (outcome === 'duplicate' || trail === undefined) {
    return [step(html`Known already: nothing was counted twice`), step(NO_ENTRY)];
  }
  const entries = entriesOf(event, trail);
  if (outcome !== 'refund_reversed') return endSteps(trail, entries);
  return [step(html`The sale has changed`), ...entrySteps(entries)];
}

/** What an event moved: all in one transaction, which has one time. */
function entriesOf(event: EventRow, { entries, events }: Trail): LedgerEntry[] {
  const at = (moment: Date | null) => moment?.getTime();
  const others = events.filter(({ id }) => id !== event.id).map((other) => at(other.processedAt));
  const isFirst = String(event.paymentId) === event.id;
  return entries.filter(({ createdAt }) =>
    // What a sign-up or a poll moved later belongs to no event: it is shown with the sale.
    isFirst ? !others.includes(at(createdAt)) : at(createdAt) === at(event.processedAt),
  );
}

function endSteps(trail: Trail, entries: readonly LedgerEntry[]): Html[] {
  return [step(html`${explained(trail).summary}`), ...entrySteps(entries)];
}

const NO_ENTRY = html`No ledger entry`;

function entrySteps(entries: readonly LedgerEntry[]): Html[] {
  if (entries.length === 0) return [step(NO_ENTRY)];
  return entries.map(({ entryType, points, balanceAfter }) =>
    step(html`${entryType === 'credit' ? '+' : '−'}${pointsOf(points)}, balance ${balanceAfter}`),
  );
}

function step(what: Html, state: StepState = 'done'): Html {
  return html`<li class="${state}">${what}</li>`;
}
