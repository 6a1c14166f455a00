import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { drawGrowth } from './growth.ts';
import { drawLatency, drawThroughput } from './peers.ts';
import { Report } from './results.ts';

/** The reports that were recorded, and the charts that are drawn from them. */
const RESULTS = new URL('../results/', import.meta.url);
const CHARTS = new URL('../../docs/charts/', import.meta.url);

const DRAWINGS = [
  { chart: 'peers-throughput.svg', command: 'peers', draw: drawThroughput },
  { chart: 'peers-latency.svg', command: 'peers', draw: drawLatency },
  { chart: 'growth.svg', command: 'large', draw: drawGrowth },
] as const;

/**
 * Draws the charts of `docs/charts` from the reports in `bench/results`, each as `--json` printed
 * it. Nothing is measured, and nothing is written unless all can be drawn. Throws when a report is
 * missing or is not one.
 */
export async function writeCharts(
  log: (line: string) => void,
  { results = RESULTS, charts = CHARTS } = {},
): Promise<void> {
  const drawn = await Promise.all(
    DRAWINGS.map(async ({ chart, command, draw }) => ({
      file: new URL(chart, charts),
      svg: draw(await readReport(results, command)),
    })),
  );
  await mkdir(charts, { recursive: true });
  for (const { file, svg } of drawn) {
    await writeFile(file, svg);
    log(`Wrote ${fileURLToPath(file)}`);
  }
}

async function readReport(results: URL, command: string): Promise<Report> {
  const file = fileURLToPath(new URL(`${command}.json`, results));
  const source = `npm run -s bench -- ${command} --json > ${file}`;
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) throw new Error(`There is no recorded report: run ${source}`);
  const { success, data, error } = Report.safeParse(JSON.parse(text));
  if (!success) throw new Error(`${file} is no report of this benchmark: run ${source}\n${error}`);
  return data;
}
