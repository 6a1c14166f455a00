import { type Bar, formatLatency, formatSpread, type Section } from '../report.ts';
import { percentile, type Spread, spreadOf } from '../statistics.ts';
import { PARTS } from './contenders.ts';
import type { PeerFigures } from './figures.ts';
import { BUYERS, type Buyers, type Measured, PER_SECOND } from './measure.ts';

/** Ours must be as fast as the best peer, however that batches. */
const BAR_OF_BEST = 1;
/** Ours must be this many times as fast as each peer with a job per event. */
const BAR_OF_SINGLE = 2;

const BUYERS_LABELS = { spread: '100 tenants', 'one-tenant': 'one tenant' } as const;
const KIND_LABELS = {
  ours: 'run per flush',
  loop: 'no jobs',
  event: 'job per event',
  flush: 'job per flush',
} as const;

/** Builds the section of the peers. Its note names those that were left out, and why. */
export function sectionOf(measured: readonly Measured[], leftOut: readonly string[]): Section {
  const figures = measured.map(figuresOf);
  return {
    title: 'Peers: a burst of webhooks until all are credited, events/s (min/median/max)',
    note: [
      'The same acknowledgement and ingestion; only the dispatcher differs. Every run is verified.',
      ...leftOut.map((each) => `Left out: ${each}`),
    ].join('\n'),
    columns: [
      'engine',
      'setting',
      ...BUYERS.map((buyers) => BUYERS_LABELS[buyers]),
      `ms at ${PER_SECOND}/s (p50/p99)`,
      'CPU µs per event, 100 tenants',
    ],
    rows: figures.map(({ engine, kind, creditedPerSecond, cpuMicroseconds }, nth) => [
      engine,
      KIND_LABELS[kind],
      ...BUYERS.map((buyers) => formatSpread(creditedPerSecond[buyers])),
      formatLatency(measured[nth]?.latencies ?? []),
      formatCpu(cpuMicroseconds),
    ]),
    bars: BUYERS.flatMap((buyers) => barsOf(figures, buyers)),
    figures,
  };
}

function figuresOf({ contender, bursts, latencies }: Measured): PeerFigures {
  const { name: engine, kind } = contender;
  const spread = bursts.get('spread') ?? [];
  const credited = (buyers: Buyers): Spread =>
    spreadOf((bursts.get(buyers) ?? []).map(({ creditedPerSecond }) => creditedPerSecond));
  const cpu = PARTS.flatMap((part) => {
    const values = spread.flatMap(({ cpuMicroseconds }) => cpuMicroseconds.get(part) ?? []);
    return values.length === 0 ? [] : [[part, spreadOf(values).median] as const];
  });
  return {
    engine,
    kind,
    creditedPerSecond: { spread: credited('spread'), 'one-tenant': credited('one-tenant') },
    latencyMs: { p50: percentile(latencies, 50), p99: percentile(latencies, 99) },
    cpuMicroseconds: Object.fromEntries(cpu),
  };
}

/** Compares ours with the fastest setting of any peer, and with each peer's job per event. */
function barsOf(figures: readonly PeerFigures[], buyers: Buyers): Bar[] {
  const median = ({ creditedPerSecond }: PeerFigures) => creditedPerSecond[buyers].median;
  const own = figures.find(({ kind }) => kind === 'ours');
  const peers = figures.filter(({ kind }) => kind === 'event' || kind === 'flush');
  const best = peers.toSorted((a, b) => median(b) - median(a))[0];
  if (own === undefined || best === undefined) return [];
  const label = BUYERS_LABELS[buyers];
  return [
    {
      figure: `ours ÷ best peer (${best.engine}, ${KIND_LABELS[best.kind]}), ${label}`,
      value: median(own) / median(best),
      atLeast: BAR_OF_BEST,
    },
    ...peers
      .filter(({ kind }) => kind === 'event')
      .map((peer) => ({
        figure: `ours ÷ ${peer.engine}, ${KIND_LABELS.event}, ${label}`,
        value: median(own) / median(peer),
        atLeast: BAR_OF_SINGLE,
      })),
  ];
}

function formatCpu(cpuMicroseconds: PeerFigures['cpuMicroseconds']): string {
  const parts = Object.entries(cpuMicroseconds);
  const total = parts.reduce((sum, [, value]) => sum + value, 0);
  const each = parts.map(([part, value]) => `${part} ${value.toFixed(0)}`);
  return `${total.toFixed(0)} = ${each.join(' + ')}`;
}
