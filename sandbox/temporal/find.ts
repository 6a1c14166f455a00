import { ensureTemporalCli } from './cli.ts';
import { prepareNamespace } from './namespace.ts';
import { startTemporal, type TemporalOptions, type TemporalServer } from './server.ts';

export type FindOptions = Omit<TemporalOptions, 'cli'> & {
  /** A running server to use instead of starting one. */
  address?: string | undefined;
};

/**
 * Uses the server at `address`, else finds or installs a CLI and starts a server. Either way the
 * server responds and has the namespace on return. No name of Temporal's own is read from the
 * environment, because it may be that of a production cluster.
 */
export async function findTemporal(
  options: FindOptions,
  report: (line: string) => void,
): Promise<TemporalServer> {
  const { address, ...own } = options;
  if (!address) {
    const { path } = await ensureTemporalCli(report);
    const server = await startTemporal({ log: report, ...own, cli: path });
    return { ...server, cli: path };
  }
  report(`Temporal: using ${address} from SANDBOX_TEMPORAL_ADDRESS`);
  try {
    await prepareNamespace(address, own.namespace, own.searchAttributes);
  } catch (cause) {
    throw new Error(
      `SANDBOX_TEMPORAL_ADDRESS is ${address}, but namespace ${own.namespace} cannot be used ` +
        'there: start that server, or unset SANDBOX_TEMPORAL_ADDRESS to have one started',
      { cause },
    );
  }
  return { address, recovered: false, stop: async () => {} };
}
