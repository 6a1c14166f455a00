import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { TILL } from './model/state.ts';
import { Contradiction } from './model.ts';
import type { Play } from './playing.ts';
import { problemOfSignature } from './receiver.ts';
import { type Shown, shownOf, walk } from './shown.ts';
import { untilReached } from './until-reached.ts';

/** Longer than what a killed process had taken is held. */
const LATEST_MS = 130_000;
/** With nothing left to be sent, nothing comes any more. */
const QUIET_MS = 3_000;
const FIRST_PAUSE_MS = 60;
const LONGEST_PAUSE_MS = 500;

const Told = z.object({
  type: z.string(),
  timestamp: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
});
const Listed = Told.extend({ id: z.string() });
type Told = z.infer<typeof Told>;

/**
 * Waits until the systems of the shop were told of everything that happened. Throws a Contradiction
 * unless that is exactly what follows from what the shop shows, in equal words each time, signed,
 * and what the list of events says. Returns what is shown.
 */
export async function expectTold(play: Play): Promise<Shown> {
  const startedAt = Date.now();
  let quietSince: number | undefined;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const undisturbedMs = Math.min(Date.now() - startedAt, play.faults.quietMs());
    if (await isDelivered(play)) {
      const shown = await shownOf(play);
      const problems = await problemsOf(play, shown);
      if (problems.length === 0) return shown;
      quietSince ??= Date.now();
      if (Math.min(Date.now() - quietSince, undisturbedMs) > QUIET_MS) {
        throw new Contradiction(['Of events:', ...problems.slice(0, 10)].join('\n  '));
      }
    } else if (undisturbedMs > LATEST_MS) throw new Contradiction('Events are not delivered.');
    else quietSince = undefined;
    await sleep(pauseMs);
  }
}

/** Whether all was sent; what waits after a failed attempt is due at once. */
async function isDelivered({ deployment: { db }, shop: { tenantId } }: Play): Promise<boolean> {
  return untilReached(async () => {
    const { rows } = await db.raw<{ rows: { waiting: boolean; unread: boolean }[] }>(
      `with due as (
         update webhook_deliveries set next_attempt_at = now()
         where tenant_id = :tenantId and status = 'pending' and next_attempt_at > now()
       )
       select exists (select from webhook_deliveries
           where tenant_id = :tenantId and status = 'pending') as waiting,
         exists (select from tenant_events e join webhook_endpoints p using (tenant_id)
           where tenant_id = :tenantId and (e.xid, e.id) > (p.read_xid, p.read_id)) as unread`,
      { tenantId },
    );
    return rows.every(({ waiting, unread }) => !waiting && !unread);
  });
}

async function problemsOf(play: Play, shown: Shown): Promise<string[]> {
  const { tenantId, merchant: token, endpoint } = play.shop;
  const listed = await walk(play, Listed, { path: `/client/tenants/${tenantId}/events`, token });
  const said = listed.filter(({ type }) => !type.startsWith('connection.')).map(lineOf);
  const ways = play.model.tierChanges().map((changes) => {
    const expected = [...expectedOf(play, shown), ...tiersOf(play, shown, changes)];
    return differencesOf(expected, said);
  });
  const [nearest = []] = ways.sort((one, other) => one.length - other.length);
  return [
    ...nearest,
    ...connectionProblems(listed, shown),
    ...differencesOf(listed.map(textOf), receivedOf(endpoint)),
    ...endpoint.messages.flatMap((each) => problemOfSignature(each, endpoint.secret) ?? []),
  ];
}

/** Everything that was taken, once; a body that came otherwise before is one more. */
function receivedOf({ messages }: Play['shop']['endpoint']): string[] {
  const taken = new Set(
    messages.flatMap(({ headers, isTaken }) => (isTaken ? String(headers['webhook-id']) : [])),
  );
  const texts = messages.map(({ headers, body }) => {
    const id = String(headers['webhook-id']);
    return taken.has(id) ? textOf({ id, ...Told.parse(JSON.parse(body)) }) : '';
  });
  return [...new Set(texts.filter((each) => each !== ''))];
}

/** What the points, codes, rules and operators that are shown must have had told. */
function expectedOf({ shop, model }: Play, { wallets, codes, rules }: Shown): string[] {
  const points = [...wallets].flatMap(([walletId, { userId, entries }]) =>
    entries.flatMap(({ id, ...entry }) => {
      if (entry.sourceType === 'redemption') return [];
      const transactionId = entry.sourceType === 'payment' ? entry.sourceId : null;
      const moved = { points: entry.points, balance: entry.balanceAfter };
      const data = { walletId, userId, ...moved, ledgerEntryId: id, transactionId };
      return lineOf({ id, type: typeOf(entry), data });
    }),
  );
  const redemptions = codes.flatMap(({ id: redemptionId, status, cancelled, ...code }) => {
    const data = { redemptionId, ...code };
    const issued = lineOf({ type: 'redemption.issued', data: { ...data, cancelled: false } });
    const type = `redemption.${status}`;
    return status === 'issued'
      ? [issued]
      : [issued, lineOf({ type, data: { ...data, cancelled } })];
  });
  const published = rules.map(({ id: ruleId, version, ruleConfig: { effectiveFrom } }) =>
    lineOf({ type: 'rule.published', data: { ruleId, version, effectiveFrom } }),
  );
  const joined = [TILL, ...model.world.joined].map((name) =>
    lineOf({ type: 'operator.joined', data: { userId: userIdOf(shop, name) } }),
  );
  return [...points, ...redemptions, ...published, ...joined];
}

function typeOf(entry: { reason: string; entry_type: string }): string {
  if (entry.reason === 'admin_adjustment') return 'points.adjusted';
  if (entry.reason === 'points_expired') return 'points.expired';
  return entry.entry_type === 'credit' ? 'points.credited' : 'points.reversed';
}

function tiersOf(
  { shop }: Play,
  { wallets }: Shown,
  changes: ReturnType<Play['model']['tierChanges']>[number],
): string[] {
  return changes.map(({ person, ...change }) => {
    const userId = userIdOf(shop, person);
    const [walletId] = [...wallets].find(([, wallet]) => wallet.userId === userId) ?? [];
    return lineOf({ type: 'tier.changed', data: { walletId, userId, ...change } });
  });
}

function userIdOf({ operatorUserId, people, erased }: Play['shop'], name: string): string {
  if (name === TILL) return operatorUserId;
  return (people.get(name) ?? erased.get(name))?.userId ?? name;
}

/** Of each connection it is told whenever it begins to work, and whenever it does no more. */
function connectionProblems(listed: readonly Told[], { connections }: Shown): string[] {
  return connections.flatMap(({ id, posType, status, needsReconnectSince }) => {
    const own = listed.filter(({ data }) => data.connectionId === id);
    const countOf = (what: string) => own.filter(({ type }) => type === what).length;
    const [active, lost] = [countOf('connection.active'), countOf('connection.lost')];
    const works = status === 'active' && needsReconnectSince === null;
    if (active === lost + (works ? 1 : 0)) return [];
    const now = works ? 'works' : 'does not work';
    return [`${posType} ${now}, and was told ${active} times as active, ${lost} times as lost`];
  });
}

/** Events about points have the ids of their entries. */
function lineOf({ id, type, data }: { id?: string; type: string; data: Told['data'] }): string {
  return `${type.startsWith('points.') ? `${id} ` : ''}${type} ${textOf(data)}`;
}

/** As JSON, the names in order. */
function textOf(value: Record<string, unknown>): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(
      Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  });
}

/** What is missing and what is too much, as often as it is. */
function differencesOf(expected: readonly string[], said: readonly string[]): string[] {
  const left = [...said];
  const missing = expected.filter((line) => {
    const nth = left.indexOf(line);
    if (nth !== -1) left.splice(nth, 1);
    return nth === -1;
  });
  return [...missing.map((line) => `expected ${line}`), ...left.map((line) => `but told ${line}`)];
}
