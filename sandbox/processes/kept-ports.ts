import { byProvider, PROVIDERS } from '../../domain/payment.ts';
import { simulatedProviders } from '../providers/index.ts';
import type { State } from '../state.ts';
import { freePort } from './ports.ts';

const USUAL = {
  postgres: 54320,
  temporal: 7233,
  temporalUi: 8233,
  identity: 4100,
  smtp: 4125,
  mail: 4180,
  ...byProvider((name) => simulatedProviders[name].usualPort),
  apps: 4400,
  developer: 4500,
  api: 3000,
  apiMetrics: 9464,
  workerMetrics: 9465,
};

export type Part = keyof typeof USUAL;
/** Servers of others pick their port when they start; ours are told theirs. */
const OURS = [
  'identity',
  'smtp',
  'mail',
  ...PROVIDERS,
  'apps',
  'developer',
  'api',
  'apiMetrics',
  'workerMetrics',
] as const;
export type Ports = Readonly<Record<(typeof OURS)[number], number>>;

export type KeptPorts = {
  /** Returns the port of the last start, else the usual one. */
  wanted(part: Part): number;
  /** Keeps the part's port for the next start, and notes when it differs from the wanted one. */
  keep(part: Part, port: number): void;
  /** Picks and keeps a free port for each of our parts, the wanted one if it is free. */
  takeAll(): Promise<Ports>;
};

/** Assigns ports and writes them to the state, so that a restart keeps the addresses. */
export function keptPorts(ports: State['ports'], note: (line: string) => void): KeptPorts {
  const wanted = (part: Part) => ports[part] ?? USUAL[part];
  const keep = (part: Part, port: number) => {
    if (port !== wanted(part)) note(`Port ${wanted(part)} is busy, so ${part} takes ${port}`);
    ports[part] = port;
  };
  const take = async (part: Part) => {
    const port = await freePort(wanted(part));
    keep(part, port);
    return port;
  };
  return {
    wanted,
    keep,
    async takeAll() {
      const ports: Record<keyof Ports, number> = { ...USUAL };
      for (const part of OURS) ports[part] = await take(part);
      return ports;
    },
  };
}
