import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DOMParser } from 'linkedom';
import { afterAll, describe, expect, it } from 'vitest';
import { drawGrowth } from '../../../bench/charts/growth.ts';
import { drawLatency, drawThroughput } from '../../../bench/charts/peers.ts';
import { Report } from '../../../bench/charts/results.ts';
import { writeCharts } from '../../../bench/charts/write-charts.ts';

const spread = (median: number) => ({ min: median * 0.9, median, max: median * 1.1 });
const report = Report.parse({
  format: 1,
  quick: false,
  busy: false,
  machine: { cpu: 'Fast & "Small" <CPU>', cores: 2, node: 'v24.21.0', commit: '0123456789' },
  sections: [
    {
      key: 'peers',
      title: 'Peers',
      figures: {
        'temporal.ours.credited-spread': spread(4_000),
        'temporal.ours.latency-p50': spread(3.25),
        'temporal.ours.latency-p99': spread(8.5),
        'bullmq.event.credited-spread': spread(590),
        'bullmq.event.latency-p50': spread(7),
        'bullmq.event.latency-p99': spread(140),
      },
      bars: [{ figure: 'ours ÷ BullMQ', value: 6.8, atLeast: 2 }],
    },
    {
      title: 'Lists',
      bars: [
        { figure: 'audit log, large ÷ small', value: 1.04, atMost: 1.5 },
        { figure: 'credited/s, large ÷ small', value: 0.8, atLeast: 0.85 },
        { figure: 'sweep, much ÷ none', value: 1.13, atMost: 1.3 },
        { figure: 'confirm p99, large ÷ small', value: null, atMost: 1.3 },
      ],
    },
  ],
});

/** Reads the text elements of the drawing, and throws unless it is a well-formed document. */
function textsIn(svg: string): string[] {
  expect(tagsLeftOpen(svg)).toEqual([]);
  const document = new DOMParser().parseFromString(svg, 'image/svg+xml');
  return [...document.querySelectorAll('text')].map((element) => element.textContent ?? '');
}

/** The elements that a document opens and does not close, or closes and did not open. */
function tagsLeftOpen(xml: string): string[] {
  const open: string[] = [];
  for (const [, closing, name = '', empty] of xml.matchAll(/<(\/?)([\w:]+)[^<>]*?(\/?)>/g)) {
    if (closing === '/') expect(open.pop()).toBe(name);
    else if (empty !== '/') open.push(name);
  }
  return open;
}

describe('charts', () => {
  it.each([
    {
      draw: drawThroughput,
      texts: ['ours, Temporal, a run per flush', '4,000', 'BullMQ, a job per event', '590'],
      description: 'BullMQ, a job per event: 590 per second',
    },
    {
      draw: drawLatency,
      texts: ['ours, Temporal, a run per flush', '3.25 / 8.5', '7 / 140'],
      description: 'ours, Temporal, a run per flush: p50 3.25 ms, p99 8.5 ms',
    },
    {
      draw: drawGrowth,
      texts: ['audit log', '1.04 (≤ 1.5)', 'credited/s', '0.8 (≥ 0.85)', 'sweep', '1.13 (≤ 1.3)'],
      description: 'audit log: 1.04 (≤ 1.5)',
    },
  ])('$draw.name shows every name and value as text, and tells them', (chart) => {
    const svg = chart.draw(report);
    expect(textsIn(svg)).toEqual(expect.arrayContaining(chart.texts));
    expect(svg).toMatch(/^<svg[^>]* role="img"/);
    expect(svg).toMatch(/<title id="title">[^<]+<\/title>/);
    expect(svg).toContain(chart.description);
    expect(svg).toContain('prefers-color-scheme: dark');
    expect(svg).not.toMatch(/href|@import|url\(|NaN|undefined/);
  });

  it('the same bytes for the same report', () => {
    for (const draw of [drawThroughput, drawLatency, drawGrowth]) {
      expect(draw(report)).toBe(draw(report));
    }
  });

  it('escapes what a report says', () => {
    const svg = drawThroughput(report);
    expect(svg).toContain('Fast &amp; "Small" &lt;CPU&gt;');
  });

  it('the fastest first, and the quickest first', () => {
    const named = (svg: string) => textsIn(svg).filter((text) => text.includes(', a '));
    const order = ['ours, Temporal, a run per flush', 'BullMQ, a job per event'];
    expect(named(drawThroughput(report))).toEqual(order);
    expect(named(drawLatency(report))).toEqual(order);
  });

  it('says of a quick run that it is no measurement', () => {
    expect(drawGrowth({ ...report, quick: true })).toContain('no measurement');
  });
});

describe('writeCharts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'charts-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const results = pathToFileURL(`${folder}/`);
  const charts = new URL('charts/', results);
  const write = () => writeCharts(() => {}, { results, charts });

  it('writes nothing while a report is missing or is none, and says how to make it', async () => {
    writeFileSync(join(folder, 'peers.json'), JSON.stringify(report));
    await expect(write()).rejects.toThrow('npm run -s bench -- large --json');
    writeFileSync(join(folder, 'large.json'), '{"format":2}');
    await expect(write()).rejects.toThrow('large.json is no report of this benchmark');
    expect(existsSync(charts)).toBe(false);
  });

  it('writes every chart', async () => {
    writeFileSync(join(folder, 'large.json'), JSON.stringify(report));
    await write();
    expect(readdirSync(charts).sort()).toEqual([
      'growth.svg',
      'peers-latency.svg',
      'peers-throughput.svg',
    ]);
  });

  const recorded = new URL('../../../bench/results/', import.meta.url);
  it.skipIf(!existsSync(recorded))(
    'the charts of the documents are of the recorded reports',
    async () => {
      await writeCharts(() => {}, { results: recorded, charts });
      const documents = new URL('../../../docs/charts/', import.meta.url);
      for (const name of readdirSync(charts)) {
        const committed = readFileSync(new URL(name, documents), 'utf8');
        expect(readFileSync(new URL(name, charts), 'utf8'), name).toBe(committed);
      }
    },
  );
});
