import { readFileSync } from 'node:fs';
import type Router from '@koa/router';
import type { Context } from 'koa';
import bodyParser from 'koa-bodyparser';
import { z } from 'zod';
import { EventId } from '../../domain/ids.ts';
import { pointsOf } from '../../domain/texts/wording.ts';
import { type Html, html, sendPage, table } from '../html.ts';
import { arrivalLine } from './arrival-lines.ts';
import { changesSince, createLiveLines, type Line, type LiveLines } from './live-lines.ts';
import type { Place } from './place.ts';
import { type Replayed, replay, type Standing } from './replay.ts';
import { createTimeMachine } from './time-machine.ts';

const READ_EVERY_MS = 1_000;
const SCRIPT_PATH = '/time-machine/live.js';
const SCRIPT = readFileSync(new URL('live.js', import.meta.url), 'utf8');

type MachinePlace = Pick<Place, 'db' | 'api' | 'temporal' | 'webhookKeys'>;

/** Adds the page that shows each webhook on its way to the ledger, live, and replays them. */
export function addTimeMachine(router: Router, place: MachinePlace): void {
  const machine = createTimeMachine(place.db);
  const read = async (): Promise<Line[]> => {
    const arrivals = await machine.read();
    return arrivals.map((arrival) => ({
      id: `line-${arrival.id}`,
      markup: arrivalLine(place, arrival).markup,
    }));
  };
  const live = createLiveLines({ read, pauseMs: READ_EVERY_MS });
  router.get('/time-machine', async (ctx) => showMachine(ctx, await read()));
  router.get('/time-machine/live', (ctx) => stream(ctx, live));
  router.get(SCRIPT_PATH, (ctx) => {
    ctx.type = 'text/javascript';
    ctx.body = SCRIPT;
  });
  router.post('/time-machine/replay', bodyParser({ enableTypes: ['form'] }), async (ctx) => {
    const { id } = z.object({ id: EventId }).parse(ctx.request.body);
    showReplay(ctx, await replay(place, id));
  });
}

function showMachine(ctx: Context, lines: readonly Line[]): void {
  sendPage(
    ctx,
    'Time machine',
    html`<p><a href="/">Developer tools</a></p>
<p>Each webhook that came in, the newest first, on its way to the ledger; and each sale that a poll
has found. <strong>Replay</strong> sends the same bytes once more, with the provider's signature:
see that nothing changes.</p>
<p id="state" role="status">This is how it was when the page was loaded.</p>
<div id="lines">${lines.map(({ markup }) => ({ markup }))}</div>`,
    { script: SCRIPT_PATH },
  );
}

/** Sends what has changed as Server-Sent Events; a new connection is first sent all lines. */
function stream(ctx: Context, live: LiveLines): void {
  const sent = new Map<string, string>();
  ctx.respond = false;
  const { res } = ctx;
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  res.write(': connected\n\n');
  const stop = live.follow((lines) => {
    // A reader that does not read is skipped, so that nothing is queued for it.
    if (res.writableNeedDrain) return;
    const changes = changesSince(sent, lines);
    if (changes !== undefined) res.write(`data: ${JSON.stringify(changes)}\n\n`);
  });
  res.on('close', stop);
}

function showReplay(ctx: Context, replayed: Replayed): void {
  const { status, outcome, before, after } = replayed;
  sendPage(
    ctx,
    'Sent once more',
    html`<p><strong>${verdictOf(replayed)}</strong></p>
<p>The service answered ${status}${outcome === null ? '' : `, and closed the copy as ${outcome}`}.
</p>
${before && after ? comparison(before, after) : html`<p>This webhook is about no sale.</p>`}
<p><a href="/time-machine">Time machine</a></p>`,
  );
}

function verdictOf({ status, outcome, before, after }: Replayed): string {
  if (status !== 200) return 'The service has refused the copy.';
  if (outcome === null) return 'The copy is stored, but nothing has come of it in half a minute.';
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  return isSame ? 'Nothing has changed.' : 'Something else has happened to this wallet meanwhile.';
}

function comparison(before: Standing, after: Standing): Html {
  return table(
    ['What', 'Before', 'After'],
    [
      ['Points of this sale', pointsOf(before.points), pointsOf(after.points)],
      ['Ledger entries of this sale', before.entries, after.entries],
      ['Balance of the wallet', pointsOf(before.balance), pointsOf(after.balance)],
    ],
  );
}
