import { type Markish, plot, text } from '@observablehq/plot';
import { parseHTML } from 'linkedom';

/** A chart: its texts, its size in pixels, and its marks on a horizontal axis of values. */
export type Chart = {
  title: string;
  subtitle: string;
  /** What the chart says, row by row, for people who cannot see it. */
  description: string;
  rows: readonly string[];
  /** The room for the names of the rows. */
  labelWidth: number;
  x: { label: string; domain: [number, number]; type?: 'linear' | 'log'; ticks?: number[] };
  /** The heading of what is written right of the rows. */
  valuesLabel?: string;
  marks: Markish[];
};

const WIDTH = 760;
const ROW_HEIGHT = 26;
const MARGIN = { top: 84, right: 104, bottom: 44 };

/** The colours of all charts, which follow what the reader has set. */
export const INK = 'var(--ink)';
export const PAPER = 'var(--paper)';
export const COLORS = {
  ours: 'var(--ours)',
  flush: 'var(--flush)',
  event: 'var(--event)',
  loop: 'var(--loop)',
  missed: 'var(--missed)',
} as const;

const ELEMENT_END = /(<\/(?:text|g|title|desc|style)>|\/>|<g[^>]*>)(?=<)/g;

const STYLE = `
.chart { color: var(--ink); background: var(--paper);
  --paper: #ffffff; --ink: #1f2328; --ours: #0969da; --flush: #6e7781; --event: #afb8c1;
  --loop: #8250df; --missed: #cf222e }
.chart text { white-space: pre }
@media (prefers-color-scheme: dark) {
  .chart { --paper: #0d1117; --ink: #e6edf3; --ours: #4493f8; --flush: #9198a1; --event: #59636e;
    --loop: #ab7df8; --missed: #f85149 }
}
`;

/**
 * Draws a chart as an SVG document: readable in light and in dark, its text as text in a font of
 * the reader's system, and the same bytes for the same chart.
 */
export function drawSvg(chart: Chart): string {
  const { document } = parseHTML('<html><body></body></html>');
  const { title, subtitle, description, rows, labelWidth, x, valuesLabel = '', marks } = chart;
  const heading = { frameAnchor: 'top-left', textAnchor: 'start', dx: 16 - labelWidth } as const;
  const svg = plot({
    document,
    className: 'chart',
    width: WIDTH,
    height: MARGIN.top + rows.length * ROW_HEIGHT + MARGIN.bottom,
    marginTop: MARGIN.top,
    marginRight: MARGIN.right,
    marginBottom: MARGIN.bottom,
    marginLeft: labelWidth,
    style: { fontSize: '13px' },
    x: { ...x, grid: true, labelAnchor: 'center', labelArrow: 'none', tickSize: 0 },
    y: { domain: rows, label: null, tickSize: 0, tickPadding: 10 },
    marks: [
      text([title], { ...heading, dy: 28 - MARGIN.top, fontSize: 17, fontWeight: 600 }),
      text([subtitle], { ...heading, dy: 50 - MARGIN.top, fillOpacity: 0.75 }),
      text([valuesLabel], {
        ...VALUES,
        frameAnchor: 'top-right',
        dy: 66 - MARGIN.top,
        fillOpacity: 0.75,
      }),
      ...marks,
    ],
  });
  for (const style of svg.querySelectorAll('style')) style.remove();
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-labelledby', 'title description');
  const texts = [
    ['title', 'title', title],
    ['desc', 'description', description],
    ['style', '', STYLE],
  ] as const;
  svg.prepend(
    ...texts.map(([name, id, content]) => {
      const element = document.createElementNS('http://www.w3.org/2000/svg', name);
      if (id !== '') element.setAttribute('id', id);
      element.textContent = content;
      return element;
    }),
  );
  // A line for each element, so that a change can be read as a difference of lines.
  return `${svg.toString().replace(ELEMENT_END, '$1\n')}\n`;
}

/** Where what is written right of the rows begins. */
export const VALUES = { frameAnchor: 'right', textAnchor: 'start', dx: 10 } as const;

/** Renders a number with three significant digits, and thousands apart. */
export function format(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-GB', { maximumFractionDigits: digits });
}
