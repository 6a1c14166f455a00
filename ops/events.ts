import { createHash } from 'node:crypto';
import type { AuditedState } from '../db/audit-log.ts';
import * as auditLog from '../db/audit-log.ts';
import type { Tx } from '../db/connection.ts';
import * as events from '../db/events/operations.ts';
import { EventId, TenantId } from '../domain/ids.ts';
import {
  type Call,
  type Command,
  type Done,
  describeFields,
  describeTable,
  onlyArgument,
  parseId,
  parseLimit,
  requireNoArguments,
  UsageError,
} from './command.ts';
import { redactedBody } from './redacted-body.ts';

const DEFAULT_LIMIT = 50;

export const listEvents: Command = {
  usage:
    `events list [--kind ${events.EVENT_KINDS.join('|')}] [--tenant ID] ` +
    '[--correlation ID] [--limit N]',
  options: ['kind', 'tenant', 'correlation', 'limit'],
  summary: 'Lists stored webhook events, pending ones by default',
  async run({ args, options, db }) {
    requireNoArguments(args);
    const { tenant, correlation: correlationId } = options;
    const kinds = kindsOf(options);
    const tenantId = tenant === undefined ? undefined : parseId(TenantId, tenant, '--tenant');
    const limit = parseLimit(options, DEFAULT_LIMIT);
    const data: Awaited<ReturnType<typeof events.list>> = [];
    for (const kind of kinds) {
      data.push(...(await events.list(db, { kind, tenantId, correlationId, limit })));
    }
    const rows = data.map((event) => [
      event.id,
      event.provider,
      event.eventType,
      event.receivedAt,
      event.attempts,
      event.outcome ?? event.outcomeReason,
      event.awaitsConnection
        ? 'connection'
        : (event.nextAttemptAt ?? (event.processed ? null : 'given up')),
      event.lastError,
    ]);
    const heading = ['EVENT', 'PROVIDER', 'TYPE', 'RECEIVED', 'ATTEMPTS', 'OUTCOME', 'NEXT'];
    return { data, text: describeTable([...heading, 'LAST ERROR'], rows) };
  },
};

/** The kinds to look at: the one that is given, all for a request, else what waits. */
function kindsOf(options: Call['options']): events.EventKind[] {
  if (options.kind === undefined) {
    return options.correlation === undefined ? ['pending'] : [...EVERY_EVENT];
  }
  const kind = events.EVENT_KINDS.find((each) => each === options.kind);
  if (kind === undefined) {
    throw new UsageError(`--kind must be one of ${events.EVENT_KINDS.join(', ')}.`);
  }
  return [kind];
}

/** Each event is of one of these; failing ones are pending. */
const EVERY_EVENT = ['pending', 'given-up', 'unknown', 'processed'] as const;

export const showEvent: Command = {
  usage: 'events show ID',
  summary: 'Shows an event and its body, without personal data of the customer',
  async run({ args, db }) {
    const { body, ...event } = await events.get(
      db,
      parseId(EventId, onlyArgument(args, 'ID'), 'The event'),
    );
    const bodyBytes = body.length;
    const bodySha256 = createHash('sha256').update(body).digest('hex');
    const redacted = redactedBody(body);
    const data = { ...event, bodyBytes, bodySha256, body: redacted };
    const bodyText = redacted === null ? 'is not JSON' : JSON.stringify(redacted, null, 2);
    return {
      data,
      text: `${describeFields({ ...event, bodyBytes, bodySha256 })}body ${bodyText}\n`,
    };
  },
};

export const replayEvents: Command = {
  usage: 'events replay ID...',
  summary: 'Lets the next sweep ingest events again, of the same tenant; none is credited twice',
  run: replay,
};

export const dismissEvents: Command = {
  usage: 'events dismiss ID...',
  summary: 'Closes events that were given up, without an effect',
  async run({ args, db, operator }) {
    if (args.length === 0) throw new UsageError('ID is missing.');
    const data = args.map((argument) => parseId(EventId, argument, 'Each event'));
    for (const id of data) {
      await db.transaction(async (tx) => {
        if (!(await events.dismiss(tx, id))) return;
        await record(tx, operator, {
          action: 'event.dismiss',
          id,
          after: { outcome: 'dismissed' },
        });
      });
    }
    return { data, text: data.map((id) => `${id} is dismissed.\n`).join('') };
  },
};

async function replay({ args, db, operator }: Call): Promise<Done> {
  if (args.length === 0) throw new UsageError('ID is missing.');
  const data: (events.Replay & { of: EventId })[] = [];
  for (const id of args.map((argument) => parseId(EventId, argument, 'Each event'))) {
    const replayed = await db.transaction(async (tx) => {
      const { id: as, how } = await events.replay(tx, id);
      await record(tx, operator, { action: 'event.replay', id, after: { how, as } });
      return { of: id, id: as, how };
    });
    data.push(replayed);
  }
  return { data, text: data.map(inWords).join('') };
}

function inWords({ of, id, how }: events.Replay & { of: EventId }): string {
  const delivered = of === id ? `${of} is` : `${of} is delivered again as ${id},`;
  switch (how) {
    case 'due':
      return `${of} is due now.\n`;
    case 'delivered':
      return `${delivered} due in 30 seconds.\n`;
    case 'unclaimed':
      return `${delivered} of an account that nobody has connected: it waits until then.\n`;
  }
}

type Change = { action: 'event.replay' | 'event.dismiss'; id: EventId; after: AuditedState };

async function record(tx: Tx, operator: string, { action, id, after }: Change): Promise<void> {
  const { provider, tenantId } = await events.get(tx, id);
  await auditLog.insert(tx, {
    ...auditLog.byOps(operator),
    action,
    targetType: 'event',
    targetId: id,
    tenantId,
    reason: null,
    before: { provider },
    after,
  });
}
