import type { ProcessName } from './deployment.ts';
import type { Sample } from './sampling.ts';
import { type Point, type Tolerance, type Trend, trendOf } from './trend.ts';

/** `not judged`: the run was too short for it, or the system does not say. */
export type Line = {
  name: string;
  verdict: 'passed' | 'failed' | 'not judged';
  detail: string;
};

/** What one life of a process, or the whole run, shows of one figure. */
export type Judged = { name: string; unit: string; life?: number; seconds: number; trend: Trend };

/** V8 gives memory back and takes it again; what a leak takes is more than that before long. */
const MEMORY: Tolerance = { share: 0.05, least: 10 };
const FILES: Tolerance = { share: 0.1, least: 10 };
/** A process that lives less has hardly warmed up. */
const SHORTEST_LIFE_SECONDS = 600;
/** Codes live for a quarter of an hour, so that what is open grows until then by itself. */
const SHORTEST_RUN_SECONDS = 1_800;

type Figure = {
  name: string;
  unit: string;
  of: (sample: Sample) => number | undefined;
  tolerance: Tolerance;
};

const OF_PROCESSES = (['api', 'worker'] as const).flatMap(
  (
    process,
  ): (Figure & {
    process: ProcessName;
  })[] => [
    {
      process,
      name: `memory of the ${process}`,
      unit: 'MiB',
      of: ({ processes }) => processes[process]?.mib,
      tolerance: MEMORY,
    },
    {
      process,
      name: `open files of the ${process}`,
      unit: '',
      of: ({ processes }) => processes[process]?.files,
      tolerance: FILES,
    },
  ],
);

const OF_THE_RUN: readonly Figure[] = [
  {
    name: 'backlog',
    unit: 'events',
    of: ({ database }) => database?.backlog,
    tolerance: { share: 0.5, least: 20 },
  },
  {
    name: 'connections to the database',
    unit: '',
    of: ({ database }) => database?.connections,
    tolerance: { share: 0.1, least: 3 },
  },
  {
    name: 'open runs',
    unit: '',
    of: ({ openRuns }) => openRuns,
    tolerance: { share: 0.25, least: 20 },
  },
  {
    name: 'size of the queue of events',
    unit: 'MiB',
    of: ({ database }) => database?.queueMib,
    tolerance: { share: 0.25, least: 2 },
  },
  {
    name: 'size of the wallets',
    unit: 'MiB',
    of: ({ database }) => database?.walletsMib,
    tolerance: { share: 0.25, least: 2 },
  },
  // What other programs do shows in latencies first. Twice as much is more than that.
  {
    name: 'webhook answered, median',
    unit: 'ms',
    of: ({ webhooks }) => webhooks?.p50,
    tolerance: { share: 1, least: 50 },
  },
  {
    name: 'webhook answered, p99',
    unit: 'ms',
    of: ({ webhooks }) => webhooks?.p99,
    tolerance: { share: 1, least: 250 },
  },
  {
    name: 'sale credited, median',
    unit: 'ms',
    of: ({ credits }) => credits?.p50,
    tolerance: { share: 1, least: 250 },
  },
];

/**
 * Judges whether memory is flat and nothing drifts, by the rule of `trendOf`.
 *
 * Memory and open files are judged for each life of the API and the worker of ten minutes or more,
 * since a process that is started again begins again; faults belong to a life. Everything else is
 * judged over the whole run, if that took half an hour, without the samples in which a fault or
 * the recovery from it shows. The servers' memory is measured, and is no figure of the service.
 */
export function judge(samples: readonly Sample[]): { lines: Line[]; judged: Judged[] } {
  const lives = OF_PROCESSES.map((figure) => ({ figure, judged: livesOf(figure, samples) }));
  const runs = OF_THE_RUN.map((figure) => ({ figure, judged: runOf(figure, samples) }));
  return {
    lines: [...lives, ...runs].map(({ figure, judged }) => lineOf(figure, judged)),
    judged: [...lives, ...runs].flatMap(({ judged }) => judged),
  };
}

function livesOf(figure: Figure & { process: ProcessName }, samples: readonly Sample[]): Judged[] {
  const byLife = new Map<number, Sample[]>();
  for (const sample of samples) {
    const life = sample.processes[figure.process]?.life;
    if (life !== undefined) byLife.set(life, [...(byLife.get(life) ?? []), sample]);
  }
  return [...byLife].flatMap(([life, its]) =>
    judgedOf(figure, its, SHORTEST_LIFE_SECONDS).map((judged) => ({ ...judged, life })),
  );
}

function runOf(figure: Figure, samples: readonly Sample[]): Judged[] {
  const undisturbed = samples.filter(({ isDisturbed }) => !isDisturbed);
  return judgedOf(figure, undisturbed, SHORTEST_RUN_SECONDS);
}

function judgedOf(figure: Figure, samples: readonly Sample[], shortest: number): Judged[] {
  const points = samples.flatMap((sample): Point[] => {
    const value = figure.of(sample);
    const isKnown = value !== undefined && !Number.isNaN(value);
    return isKnown ? [{ seconds: sample.seconds, value }] : [];
  });
  const seconds = (points.at(-1)?.seconds ?? 0) - (points[0]?.seconds ?? 0);
  const trend = seconds < shortest ? undefined : trendOf(points, figure.tolerance);
  return trend === undefined ? [] : [{ name: figure.name, unit: figure.unit, seconds, trend }];
}

function lineOf({ name }: Figure, judged: readonly Judged[]): Line {
  if (judged.length === 0) {
    return { name, verdict: 'not judged', detail: 'too short a time, or not measured' };
  }
  const isGrowing = judged.some(({ trend }) => trend.isGrowing);
  return {
    name,
    verdict: isGrowing ? 'failed' : 'passed',
    detail: judged.map(describe).join('; '),
  };
}

function describe({ life, seconds, unit, trend }: Judged): string {
  const [first, middle, last] = trend.thirds.map((value) => value.toFixed(1));
  const of = life === undefined ? '' : `life ${life}, `;
  const perHour = `${trend.perHour < 0 ? '' : '+'}${trend.perHour.toFixed(1)} an hour`;
  const thirds = `${first} → ${middle} → ${last} ${unit}`.trimEnd();
  return `${of}${(seconds / 60).toFixed(0)} min: ${thirds}, ${perHour}`;
}
