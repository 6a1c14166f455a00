import { dot, link, ruleX, text, tickX } from '@observablehq/plot';
import type { Report } from './results.ts';
import { subtitleOf } from './results.ts';
import { COLORS, drawSvg, format, INK, VALUES } from './svg.ts';

const RATIO = / ?,? (?:large ÷ small|much ÷ none)$/;

type Row = { name: string; value: number; bar: number; isReached: boolean; label: string };

/** Draws what each part costs on the large data as a multiple of what it costs on the small. */
export function drawGrowth(report: Report): string {
  const rows = rowsOf(report);
  const most = Math.max(...rows.flatMap(({ value, bar }) => [value, bar]));
  const y = 'name';
  return drawSvg({
    title: 'What grows with the data: ten million entries ÷ a hundred thousand',
    subtitle: subtitleOf(report),
    description: rows.map(({ name, label }) => `${name}: ${label}`).join('; '),
    rows: rows.map(({ name }) => name),
    labelWidth: 280,
    x: {
      label: 'times the figure of the small data; the tick is the bar',
      domain: [0, most * 1.05],
    },
    valuesLabel: 'ratio (bar)',
    marks: [
      ruleX([1], { stroke: INK, strokeDasharray: '3,3', strokeOpacity: 0.6 }),
      link(rows, { x1: () => 1, x2: 'value', y1: y, y2: y, stroke: colorOf, strokeWidth: 3 }),
      dot(rows, { x: 'value', y, fill: colorOf, r: 5 }),
      tickX(rows, { x: 'bar', y, stroke: INK, strokeWidth: 2, insetTop: 5, insetBottom: 5 }),
      text(rows, { ...VALUES, y, text: 'label' }),
    ],
  });
}

function rowsOf({ sections }: Report): Row[] {
  return sections
    .flatMap(({ bars }) => bars)
    .flatMap(({ figure, value, atLeast, atMost }) => {
      const bar = atMost ?? atLeast;
      if (!RATIO.test(figure) || value === null || bar === undefined) return [];
      const isReached = atMost === undefined ? value >= bar : value <= bar;
      const label = `${format(value)} (${atMost === undefined ? '≥' : '≤'} ${bar})`;
      return [{ name: figure.replace(RATIO, ''), value, bar, isReached, label }];
    });
}

function colorOf({ isReached }: Row): string {
  return isReached ? COLORS.ours : COLORS.missed;
}
