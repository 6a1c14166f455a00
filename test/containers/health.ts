import { setTimeout as sleep } from 'node:timers/promises';
import { podman } from './engine.ts';

const INTERVAL_MS = 2_000;

/**
 * Runs the health checks of a project's containers until the returned function is called, as
 * Docker does by itself. Podman leaves that to systemd, which is not everywhere.
 */
export function startHealthChecks(project: string): () => Promise<void> {
  const stop = new AbortController();
  const checking = checkUntil(stop.signal, project);
  return async () => {
    stop.abort();
    await checking;
  };
}

async function checkUntil(stopped: AbortSignal, project: string): Promise<void> {
  const running = ['--filter', `name=^${project}`, '--filter', 'status=running'];
  while (!stopped.aborted) {
    const listed = await podman('ps', '--quiet', ...running).catch(() => '');
    for (const id of listed.split('\n').filter(Boolean)) {
      if (stopped.aborted) return;
      // A container without a check, or one that fails it, says so by its status.
      await podman('healthcheck', 'run', id).catch(() => undefined);
    }
    await sleep(INTERVAL_MS, undefined, { signal: stopped }).catch(() => undefined);
  }
}
