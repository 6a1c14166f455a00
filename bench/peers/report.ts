import { type Bar, formatSpread, ratioBar, type Section } from '../report.ts';
import { type Spread, spreadOf, sumOf } from '../statistics.ts';
import { FIGURES, type Kind, keyed, PARTS, type PeerFigures } from './figures.ts';
import type { Measured } from './measure.ts';

/**
 * Beside the best peer with a job per flush ours may need this many times the processor time, and
 * must credit this share per second; beside each peer with a job per event it needs so little. At
 * 20 a second a credit may take so many times as long as graphile-worker's, which has the lowest
 * latency of those that also write their jobs to Postgres.
 */
const BARS = { cpuOfBest: 1.25, creditedOfBest: 0.85, cpuOfSingle: 0.2, p50OfGraphile: 2.6 };

const BURSTS = [
  { figure: 'credited-spread', label: '100 tenants' },
  { figure: 'credited-one-tenant', label: 'one tenant' },
] as const;
const SETTINGS = {
  ours: 'run per flush',
  loop: 'no jobs',
  event: 'job per event',
  flush: 'job per flush',
} as const;

/** Builds the section of the peers. Its note names those that were left out, and why. */
export function sectionOf(measured: readonly Measured[], leftOut: readonly string[]): Section {
  const peers = measured.map(figuresOf);
  return {
    key: 'peers',
    figures: keyed(peers),
    title: 'Peers: a burst of webhooks until all are credited, events/s (min/median/max)',
    note: [
      'The same acknowledgement and ingestion; only the dispatcher differs. Every run is verified.',
      ...leftOut.map((each) => `Left out: ${each}`),
    ].join('\n'),
    columns: [
      'engine',
      'setting',
      ...BURSTS.map(({ label }) => label),
      'p50 ms at 20/s',
      'p99 ms at 20/s',
      'CPU µs per event, 100 tenants',
    ],
    rows: peers.map(({ kind, figures }, nth) => [
      measured[nth]?.contender.name ?? '',
      SETTINGS[kind],
      ...[...BURSTS.map(({ figure }) => figure), ...LATENCIES].map((name) =>
        formatFigure(figures[name]),
      ),
      formatCpu(figures),
    ]),
    bars: barsOf(measured),
  };
}

const LATENCIES = ['latency-p50', 'latency-p99'] as const;

function figuresOf({ contender, values }: Measured): PeerFigures {
  const figures = FIGURES.flatMap((name) => {
    const measured = values.get(name) ?? [];
    return measured.length === 0 ? [] : [[name, spreadOf(measured)] as const];
  });
  const { engine, kind } = contender;
  return { engine, kind, figures: Object.fromEntries(figures) };
}

/**
 * Compares ours with the best peer in each figure that has a job per flush, and with each peer's
 * job per event.
 */
function barsOf(measured: readonly Measured[]): Bar[] {
  const own = measured.find(({ contender }) => contender.kind === 'ours');
  const ofKind = (kind: Kind) => measured.filter(({ contender }) => contender.kind === kind);
  if (own === undefined || ofKind('flush').length === 0) return [];
  const ratio = (label: string, of: (each: Measured) => number[], peer: Measured) =>
    [`${label}, ours ÷ ${peer.contender.name}`, [of(own), of(peer)]] as const;
  const median = (of: (each: Measured) => number[]) => (a: Measured, b: Measured) =>
    spreadOf(of(a)).median - spreadOf(of(b)).median;
  const graphile = ofKind('flush').filter(
    ({ contender }) => contender.engine === 'graphile-worker',
  );
  const best = ofKind('flush').toSorted(median(cpuOf)).slice(0, 1);
  return [
    ...best.map((peer) => {
      return ratioBar(...ratio('CPU per event', cpuOf, peer), { atMost: BARS.cpuOfBest });
    }),
    ...BURSTS.flatMap(({ figure, label }) => {
      const credited = ({ values }: Measured) => values.get(figure) ?? [];
      const fastest = ofKind('flush').toSorted(median(credited)).slice(-1);
      return fastest.map((peer) => {
        const terms = ratio(`credited/s, ${label}`, credited, peer);
        return ratioBar(...terms, { atLeast: BARS.creditedOfBest });
      });
    }),
    ...ofKind('event').map((peer) => {
      const terms = ratio(`CPU per event, ${SETTINGS.event}`, cpuOf, peer);
      return ratioBar(...terms, { atMost: BARS.cpuOfSingle });
    }),
    ...graphile.map((peer) => {
      const p50 = ({ values }: Measured) => values.get('latency-p50') ?? [];
      return ratioBar(...ratio('p50 at 20/s', p50, peer), { atMost: BARS.p50OfGraphile });
    }),
  ];
}

/** Processor time per event of all processes, in the order of the repetitions. */
function cpuOf({ values }: Measured): number[] {
  const parts = PARTS.flatMap((part) => {
    const each = values.get(`cpu-${part}`);
    return each === undefined ? [] : [each];
  });
  return (parts[0] ?? []).map((_, nth) => sumOf(parts.map((each) => each[nth] ?? Number.NaN)));
}

function formatFigure(spread: Spread | undefined): string {
  return spread === undefined ? '–' : formatSpread(spread);
}

function formatCpu(figures: PeerFigures['figures']): string {
  const parts = PARTS.flatMap((part) => {
    const spread = figures[`cpu-${part}`];
    return spread === undefined ? [] : [{ part, value: spread.median }];
  });
  const total = parts.reduce((sum, { value }) => sum + value, 0);
  return `${total.toFixed(0)} = ${parts.map((p) => `${p.part} ${p.value.toFixed(0)}`).join(' + ')}`;
}
