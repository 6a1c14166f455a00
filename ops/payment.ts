import { getTrail, listByProviderId, type Trail } from '../db/payments/trail.ts';
import { Refusal } from '../domain/errors.ts';
import { PaymentId, TenantId } from '../domain/ids.ts';
import { ingestWorkflowId } from '../workflows/ids.ts';
import {
  type Command,
  type Done,
  describeFields,
  describeTable,
  onlyArgument,
  parseId,
  UsageError,
} from './command.ts';

const MARGIN_MS = 60_000;

export const showPayment: Command = {
  usage: 'payment show ID [--tenant ID]',
  options: ['tenant'],
  summary: "Shows a payment, by our id or the provider's: events, decision, entries, workflows",
  async run({ args, options: { tenant }, db }) {
    const argument = onlyArgument(args, 'ID');
    const own = PaymentId.safeParse(argument);
    const tenantId = tenant === undefined ? undefined : parseId(TenantId, tenant, '--tenant');
    const ids = own.success ? [own.data] : await listByProviderId(db, argument, tenantId);
    const [id, another] = ids;
    if (id === undefined) throw new Refusal('NOT_FOUND', 'There is no such payment.');
    if (another !== undefined) {
      throw new UsageError(`Several payments have this id. Choose one of ${ids.join(', ')}.`);
    }
    return render(await getTrail(db, id));
  },
};

function render(trail: Trail): Done {
  const { events, payment, entries } = trail;
  const workflows = workflowsOf(trail);
  const { decision, ...facts } = payment;
  const text = [
    describeFields(facts),
    `\nEvents (${events.length})\n`,
    describeTable(
      ['EVENT', 'TYPE', 'RECEIVED', 'OUTCOME', 'CORRELATION'],
      events.map((event) => [
        event.id,
        event.eventType,
        event.receivedAt,
        event.outcome,
        event.correlationId,
      ]),
    ),
    `\nDecision\n${JSON.stringify(decision, null, 2)}\n`,
    `\nLedger entries (${entries.length})\n`,
    describeTable(
      ['ENTRY', 'SEQ', 'TYPE', 'POINTS', 'BALANCE AFTER', 'REASON', 'CREATED'],
      entries.map((entry) => [
        entry.id,
        entry.seq,
        entry.entryType,
        entry.points,
        entry.balanceAfter,
        entry.reason,
        entry.createdAt,
      ]),
    ),
    '\nWorkflows\n',
    describeFields(workflows),
  ];
  return { data: { ...trail, workflows }, text: text.join('') };
}

/**
 * How to find the runs in Temporal. A run ingests a batch and is named after its first event, so
 * the run of a payment is found by tenant and time rather than by name.
 */
function workflowsOf({ events, payment, connectionId }: Trail) {
  const from = Math.min(
    payment.createdAt.getTime(),
    ...events.map(({ receivedAt }) => +receivedAt),
  );
  const to = Math.max(
    payment.createdAt.getTime(),
    ...events.map((event) => +(event.processedAt ?? 0)),
  );
  const between = [from - MARGIN_MS, to + MARGIN_MS].map((ms) => `"${new Date(ms).toISOString()}"`);
  return {
    query: `TenantIds = "${payment.tenantId}" and StartTime between ${between.join(' and ')}`,
    ifFirstOfItsBatch: events.map(({ id }) => ingestWorkflowId(payment.provider, id)),
    connectionId,
  };
}
