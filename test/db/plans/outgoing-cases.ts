import * as attempts from '../../../db/outgoing/attempts.ts';
import * as deliveries from '../../../db/outgoing/deliveries.ts';
import * as events from '../../../db/outgoing/events.ts';
import { fanOut } from '../../../db/outgoing/fan-out.ts';
import type { DeliveryId, EndpointId, TenantEventId } from '../../../domain/ids.ts';
import { type Case, DEEP, LIMIT, tenantId } from './cases.ts';
import { idOf } from './rows.ts';

const endpointId = idOf('endpoint', 2) as EndpointId;
const id = idOf('delivery', 3) as DeliveryId;
const eventId = idOf('entry', DEEP) as TenantEventId;
const result = { milliseconds: 1, responseStatus: 200, response: '', error: null };
const ended = { id, endpointId, claim: idOf('claim', 1), ...result };

/** What the delivery of events reads and writes: a page of a tenant's, or one. */
export const OUTGOING_CASES: readonly Case[] = [
  {
    covers: 'outgoing/events.list',
    rows: LIMIT,
    run: (tx) => events.list(tx, tenantId, { after: null, limit: LIMIT }),
  },
  {
    covers: 'outgoing/events.deleteOld',
    rows: LIMIT,
    run: (tx) => events.deleteOld(tx, LIMIT),
  },
  { covers: 'outgoing/fan-out.fanOut', rows: LIMIT, run: (tx) => fanOut(tx, tenantId, LIMIT) },
  {
    covers: 'outgoing/attempts.claim',
    rows: 10,
    run: (tx) => attempts.claim(tx, tenantId, { alsoFailing: true }),
  },
  {
    covers: 'outgoing/attempts.nextDueIn',
    rows: 10,
    run: (tx) => attempts.nextDueIn(tx, tenantId),
  },
  {
    covers: 'outgoing/attempts.recordFailed',
    rows: 1,
    run: (tx) => attempts.recordFailed(tx, ended, { waitSeconds: 5, isEarly: false }),
  },
  { covers: 'outgoing/attempts.endTest', rows: 1, run: (tx) => attempts.endTest(tx, ended) },
  {
    covers: 'outgoing/deliveries.list',
    rows: LIMIT,
    run: (tx) => deliveries.list(tx, { tenantId, endpointId }, { before: eventId, limit: LIMIT }),
  },
  {
    covers: 'outgoing/deliveries.replay',
    rows: 1,
    run: (tx) => deliveries.replay(tx, { tenantId, endpointId, id }),
  },
];
