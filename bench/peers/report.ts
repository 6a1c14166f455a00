import { type Bar, formatSpread, ratioBar, type Section } from '../report.ts';
import { type Spread, spreadOf } from '../statistics.ts';
import { FIGURES, type FigureName, keyed, PARTS, type PeerFigures } from './figures.ts';
import type { Measured } from './measure.ts';

/** Ours must be as fast as the best peer, however that batches. */
const BAR_OF_BEST = 1;
/** Ours must be this many times as fast as each peer with a job per event. */
const BAR_OF_SINGLE = 2;

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
    bars: BURSTS.flatMap((burst) => barsOf(measured, burst)),
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

/** Compares ours with the fastest setting of any peer, and with each peer's job per event. */
function barsOf(
  measured: readonly Measured[],
  { figure, label }: { figure: FigureName; label: string },
): Bar[] {
  const valuesOf = ({ values }: Measured) => values.get(figure) ?? [];
  const own = measured.find(({ contender }) => contender.kind === 'ours');
  const peers = measured.filter(({ contender: { kind } }) => kind === 'event' || kind === 'flush');
  const median = (each: Measured) => spreadOf(valuesOf(each)).median;
  const best = peers.toSorted((a, b) => median(b) - median(a))[0];
  if (own === undefined || best === undefined) return [];
  const ratioTo = (peer: Measured, name: string, atLeast: number) =>
    ratioBar(`ours ÷ ${name}, ${label}`, [valuesOf(own), valuesOf(peer)], { atLeast });
  const { name, kind } = best.contender;
  return [
    ratioTo(best, `best peer (${name}, ${SETTINGS[kind]})`, BAR_OF_BEST),
    ...peers
      .filter(({ contender }) => contender.kind === 'event')
      .map((peer) => ratioTo(peer, `${peer.contender.name}, ${SETTINGS.event}`, BAR_OF_SINGLE)),
  ];
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
