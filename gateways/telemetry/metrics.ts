import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { createRequestMetrics, type RequestMetrics } from './metrics-requests.ts';
import { createWorkMetrics, type WorkMetrics } from './metrics-work.ts';

/** A value that is read when it is asked for; one for each value of `label`, if it has one. */
export type WatchedGauge = {
  name: string;
  help: string;
  /** Undefined leaves the metric out: a value that is not known must not look like one that is. */
  read: () => number | undefined | Promise<number | undefined>;
};
export type WatchedGauges = Omit<WatchedGauge, 'read'> & {
  label: string;
  read: () => Readings | undefined | Promise<Readings | undefined>;
};
type Readings = Readonly<Record<string, number>>;

/** What a process counts and measures. To record anything never fails. */
export type Metrics = RequestMetrics &
  WorkMetrics & {
    watch(gauge: WatchedGauge | WatchedGauges): void;
    /** Everything, as Prometheus reads it. */
    metrics(): Promise<string>;
  };

/** How many connections to Postgres a process has, and how much waits for one. */
export type PoolUse = { used: number; free: number; waiting: number; max: number };

/**
 * The metrics of one process, in a registry of their own. Each event of ours is a `loyalty_` metric;
 * what Node tells of the process comes along, and so does the text that `more` answers.
 */
export function createMetrics(
  service: 'api' | 'worker',
  more: () => Promise<string> = async () => '',
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const info = { name: 'loyalty_process_info', help: 'Which of our processes this is; always 1.' };
  new Gauge({ ...info, labelNames: ['service'], registers: [registry] }).set({ service }, 1);
  return {
    ...createRequestMetrics(registry),
    ...createWorkMetrics(registry),
    watch: (gauge) => watch(registry, gauge),
    async metrics() {
      const [ours, others] = await Promise.all([registry.metrics(), more()]);
      return `${ours}${others}`;
    },
  };
}

/** Tells of a process's connections to Postgres. */
export function watchPool(metrics: Metrics, read: () => PoolUse): void {
  metrics.watch({
    name: 'loyalty_db_pool_connections',
    help: 'Open connections to Postgres.',
    label: 'state',
    read() {
      const { used, free } = read();
      return { used, free };
    },
  });
  metrics.watch({
    name: 'loyalty_db_pool_waiting',
    help: 'How much waits for a connection to Postgres.',
    read: () => read().waiting,
  });
  metrics.watch({
    name: 'loyalty_db_pool_connections_max',
    help: 'The most connections to Postgres that the process may open.',
    read: () => read().max,
  });
}

function watch(registry: Registry, gauge: WatchedGauge | WatchedGauges): void {
  const { name, help } = gauge;
  const registers = [registry];
  if ('label' in gauge) {
    const { label, read } = gauge;
    new Gauge({
      name,
      help,
      registers,
      labelNames: [label],
      async collect() {
        const readings = (await read()) ?? {};
        this.reset();
        for (const [key, value] of Object.entries(readings)) this.set({ [label]: key }, value);
      },
    });
    return;
  }
  const { read } = gauge;
  new Gauge({
    name,
    help,
    registers,
    async collect() {
      const value = await read();
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
}
