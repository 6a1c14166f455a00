import { barX, dot, link, ruleY, text } from '@observablehq/plot';
import { ENGINE_NAMES, type FigureName, peersIn } from '../peers/figures.ts';
import type { Spread } from '../statistics.ts';
import { type Report, subtitleOf } from './results.ts';
import { COLORS, drawSvg, format, PAPER, VALUES } from './svg.ts';

const SETTINGS = {
  ours: ', a run per flush',
  loop: '',
  event: ', a job per event',
  flush: ', a job per flush',
} as const;
const LABEL_WIDTH = 270;
const LOG_TICKS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000];

type Row = { name: string; color: string };

/** Draws how many events per second each engine credits in a burst, with each of its settings. */
export function drawThroughput(report: Report): string {
  const rows = rowsOf(report, (median, spreadOf) => {
    const { min = 0, max = 0 } = spreadOf('credited-spread') ?? {};
    return { perSecond: median('credited-spread'), min, max };
  }).sort((a, b) => b.perSecond - a.perSecond);
  const y = 'name';
  return drawSvg({
    title: 'Credited per second: a burst of webhooks over 100 tenants',
    subtitle: subtitleOf(report),
    description: rows
      .map(({ name, perSecond }) => `${name}: ${format(perSecond)} per second`)
      .join('; '),
    rows: rows.map(({ name }) => name),
    labelWidth: LABEL_WIDTH,
    x: {
      label: 'credited per second; the line spans the repetitions',
      domain: [0, Math.max(...rows.map(({ max }) => max))],
    },
    marks: [
      barX(rows, { x: 'perSecond', y, fill: 'color', insetTop: 3, insetBottom: 3 }),
      ruleY(rows, { x1: 'min', x2: 'max', y, strokeOpacity: 0.6 }),
      text(rows, {
        x: 'max',
        y,
        text: ({ perSecond }) => format(perSecond),
        textAnchor: 'start',
        dx: 6,
        fontWeight: 600,
      }),
    ],
  });
}

/** Draws the latency from a webhook to its credit at 20 per second, for each engine and setting. */
export function drawLatency(report: Report): string {
  const rows = rowsOf(report, (median) => ({
    p50: median('latency-p50'),
    p99: median('latency-p99'),
  })).sort((a, b) => a.p50 - b.p50);
  const least = Math.min(...rows.map(({ p50 }) => p50)) / 1.3;
  const most = Math.max(...rows.map(({ p99 }) => p99)) * 1.1;
  const y = 'name';
  return drawSvg({
    title: 'From a webhook to its credit, at 20 per second',
    subtitle: subtitleOf(report),
    description: rows
      .map(({ name, p50, p99 }) => `${name}: p50 ${format(p50)} ms, p99 ${format(p99)} ms`)
      .join('; '),
    rows: rows.map(({ name }) => name),
    labelWidth: LABEL_WIDTH,
    x: {
      label: 'milliseconds on a logarithmic scale: p50 filled, p99 hollow',
      type: 'log',
      domain: [least, most],
      ticks: LOG_TICKS.filter((tick) => tick >= least && tick <= most),
    },
    valuesLabel: 'p50 / p99',
    marks: [
      link(rows, { x1: 'p50', x2: 'p99', y1: y, y2: y, stroke: 'color', strokeWidth: 3 }),
      dot(rows, { x: 'p50', y, fill: 'color', r: 5 }),
      dot(rows, { x: 'p99', y, fill: PAPER, stroke: 'color', strokeWidth: 2, r: 4 }),
      text(rows, { ...VALUES, y, text: ({ p50, p99 }) => `${format(p50)} / ${format(p99)}` }),
    ],
  });
}

function rowsOf<Values>(
  { sections }: Report,
  read: (
    median: (name: FigureName) => number,
    spreadOf: (name: FigureName) => Spread | undefined,
  ) => Values,
): Array<Row & Values> {
  const figures = sections.find(({ key }) => key === 'peers')?.figures ?? {};
  return peersIn(figures).map((peer) => ({
    name: `${ENGINE_NAMES.get(peer.engine) ?? peer.engine}${SETTINGS[peer.kind]}`,
    color: COLORS[peer.kind],
    ...read(
      (name) => peer.figures[name]?.median ?? Number.NaN,
      (name) => peer.figures[name],
    ),
  }));
}
