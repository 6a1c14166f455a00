import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type AdjustmentMetrics, createAdjustmentMetrics } from './metrics-adjustments.ts';
import { createRequestMetrics, type RequestMetrics } from './metrics-requests.ts';
import { createStreamMetrics, type StreamMetrics } from './metrics-streams.ts';
import { createWorkMetrics, type WorkMetrics } from './metrics-work.ts';

/** A gauge whose value is read at each scrape. */
export type WatchedGauge = {
  name: string;
  help: string;
  /** Undefined omits the metric, so that an unknown value does not look like 0. */
  read: () => number | undefined | Promise<number | undefined>;
};
/** A gauge with one value per value of `label`, read at each scrape. */
export type WatchedGauges = Omit<WatchedGauge, 'read'> & {
  label: string;
  read: () => Readings | undefined | Promise<Readings | undefined>;
};
type Readings = Readonly<Record<string, number>>;

/** The metrics of a process. Recording never throws. */
export type Metrics = RequestMetrics &
  AdjustmentMetrics &
  StreamMetrics &
  WorkMetrics & {
    /** Adds a gauge. */
    watch(gauge: WatchedGauge | WatchedGauges): void;
    /** All metrics in Prometheus' text format. */
    metrics(): Promise<string>;
  };

/** A process's pool of Postgres connections, and how many callers wait for one. */
export type PoolUse = { used: number; free: number; waiting: number; max: number };

/** How often Node's default metrics sample the event loop, for which they wake the process. */
const NEVER_MS = 2 ** 31 - 1;
/** The lags that follow from these samples, and so have no values. */
const OF_SAMPLES = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'] as const;

/**
 * Creates the metrics of one process, in a registry of their own: ours, named `loyalty_…`, Node's
 * default metrics, and the text that `more` returns.
 */
export function createMetrics(
  service: 'api' | 'worker',
  more: () => Promise<string> = async () => '',
): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  for (const name of OF_SAMPLES)
    registry.removeSingleMetric(`nodejs_eventloop_lag_${name}_seconds`);
  countBusyTime(registry);
  const info = { name: 'loyalty_process_info', help: 'The kind of process; always 1.' };
  new Gauge({ ...info, labelNames: ['service'], registers: [registry] }).set({ service }, 1);
  return {
    ...createRequestMetrics(registry),
    ...createAdjustmentMetrics(registry),
    ...createStreamMetrics(registry),
    ...createWorkMetrics(registry),
    watch: (gauge) => watch(registry, gauge),
    async metrics() {
      const [ours, others] = await Promise.all([registry.metrics(), more()]);
      return `${ours}${others}`;
    },
  };
}

/** Counts how long the event loop was busy, which Node keeps in any case. */
function countBusyTime(registry: Registry): void {
  new Counter({
    name: 'loyalty_event_loop_busy_seconds_total',
    help: 'Time in which the event loop did not wait for something to do.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(performance.eventLoopUtilization().active / 1000);
    },
  });
}

/** Adds gauges for a process's pool of Postgres connections. */
export function watchPool(metrics: Metrics, read: () => PoolUse): void {
  metrics.watch({
    name: 'loyalty_db_pool_connections',
    help: 'Open connections to Postgres, by state.',
    label: 'state',
    read() {
      const { used, free } = read();
      return { used, free };
    },
  });
  metrics.watch({
    name: 'loyalty_db_pool_waiting',
    help: 'Callers that wait for a connection to Postgres.',
    read: () => read().waiting,
  });
  metrics.watch({
    name: 'loyalty_db_pool_connections_max',
    help: 'Connections to Postgres that the process may open at most.',
    read: () => read().max,
  });
}

/** Adds a gauge for what a process could not announce to open streams, which read it later. */
export function watchAnnouncements(metrics: Metrics, read: () => number): void {
  metrics.watch({
    name: 'loyalty_announcements_lost',
    help: 'Changes that were not announced to open streams since the process began.',
    read,
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
