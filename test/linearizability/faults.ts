import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../db/connection.ts';
import type { Service } from './service.ts';

export const FAULTS = [
  'API killed',
  'worker killed',
  'connections cut',
  'Postgres paused',
  'Postgres crashed',
  'Postgres restarted',
] as const;
export type Fault = (typeof FAULTS)[number];

/** Longer than a client waits for some of its answers, shorter than all of its attempts. */
const PAUSE_MS = 1_500;

/** Does it, and returns once everything has been started again. */
export async function strike(fault: Fault, service: Service, random: () => number): Promise<void> {
  switch (fault) {
    case 'API killed': {
      const api = service.apis[random() % service.apis.length];
      api?.kill();
      await api?.start();
      return;
    }
    case 'worker killed':
      service.worker.kill();
      await service.worker.start();
      return;
    case 'connections cut':
      await service.superuser.raw(`select pg_terminate_backend(pid) ${SESSIONS}`);
      return;
    case 'Postgres paused': {
      const pids = await sessionsOf(service.superuser);
      signal(pids, 'SIGSTOP');
      await sleep(PAUSE_MS);
      signal(pids, 'SIGCONT');
      return;
    }
    case 'Postgres crashed': {
      // When one of its processes is killed, the server ends all sessions and recovers its log.
      const [victim] = await sessionsOf(service.superuser);
      if (victim === undefined) throw new Error('No session of the API is open.');
      signal([victim], 'SIGKILL');
      return;
    }
    case 'Postgres restarted':
      await service.restartPostgres();
  }
}

const SESSIONS = `from pg_stat_activity where application_name = 'loyalty-api'`;

async function sessionsOf(db: Db): Promise<number[]> {
  const { rows } = await db.raw<{ rows: { pid: number }[] }>(`select pid ${SESSIONS}`);
  return rows.map(({ pid }) => pid);
}
function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // The session has ended meanwhile.
    }
  }
}
