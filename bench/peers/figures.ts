import type { Spread } from '../statistics.ts';

/** What a job of an engine holds. `ours`: a workflow run for what gathered; `loop`: no jobs. */
export const KINDS = ['ours', 'loop', 'event', 'flush'] as const;
export type Kind = (typeof KINDS)[number];

/** The names of the engines for people, by their names in the JSON. */
export const ENGINE_NAMES: ReadonlyMap<string, string> = new Map([
  ['temporal', 'ours, Temporal'],
  ['loop', 'loop without an engine'],
  ['pg-boss', 'pg-boss'],
  ['graphile-worker', 'graphile-worker'],
  ['bullmq', 'BullMQ'],
  ['dbos', 'DBOS'],
]);

/** The processes of an engine; `server` is Temporal or Redis. */
export const PARTS = ['api', 'worker', 'server', 'postgres'] as const;
export type Part = (typeof PARTS)[number];

/**
 * The figures of an engine with one setting, by their names in the JSON, which stay: credited per
 * second in a burst over 100 tenants and over one, milliseconds from a webhook to its credit at 20
 * per second, and microseconds of processor time per event in the burst over 100 tenants.
 */
export const FIGURES = [
  'credited-spread',
  'credited-one-tenant',
  'latency-p50',
  'latency-p99',
  ...PARTS.map((part) => `cpu-${part}` as const),
] as const;
export type FigureName = (typeof FIGURES)[number];

/** The setting of an engine, and its figures as far as it has them. */
export type PeerFigures = {
  engine: string;
  kind: Kind;
  figures: Partial<Readonly<Record<FigureName, Spread>>>;
};

/** Names every figure `engine.kind.figure`, as in `bullmq.flush.credited-spread`. */
export function keyed(peers: readonly PeerFigures[]): Readonly<Record<string, Spread>> {
  return Object.fromEntries(
    peers.flatMap(({ engine, kind, figures }) =>
      Object.entries(figures).map(([name, spread]) => [`${engine}.${kind}.${name}`, spread]),
    ),
  );
}

/** Reads what `keyed` has named, in the order of the names. */
export function peersIn(figures: Readonly<Record<string, Spread>>): PeerFigures[] {
  const settings = new Set(Object.keys(figures).map((key) => key.slice(0, key.lastIndexOf('.'))));
  return [...settings].flatMap((setting) => {
    const [engine = '', name = ''] = setting.split('.');
    const kind = KINDS.find((each) => each === name);
    if (kind === undefined) return [];
    const own = FIGURES.flatMap((figure) => {
      const spread = figures[`${setting}.${figure}`];
      return spread === undefined ? [] : [[figure, spread] as const];
    });
    return [{ engine, kind, figures: Object.fromEntries(own) }];
  });
}
