import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { freePort } from '../../sandbox/processes/ports.ts';
import { startServer } from '../../sandbox/processes/processes.ts';
import { env, podman, ROOT, run, SOCKET } from './engine.ts';
import { startHealthChecks } from './health.ts';
import { HERE, type Outside, SUBNET, startOutside } from './outside.ts';

/** What the shipped compose file starts, apart from what has no stand-in. */
export const SERVICES = [
  'proxy',
  'apps',
  'api-1',
  'api-2',
  'worker-1',
  'worker-2',
  'postgres',
  'temporal-postgres',
  'temporal',
  'temporal-namespace',
  'objects',
  'objects-bucket',
  'prometheus',
  'machine',
  'alertmanager',
];

/** A loaded machine may take minutes to make a container. */
const PATIENT = { COMPOSE_HTTP_TIMEOUT: '600' };

/** The settings that the scenario shows in a short time, or asks for often. */
const BRISK = { SWEEP_INTERVAL_SECONDS: '5', RATE_LIMIT_WRITES: '600' };

const OURS = ['api-1', 'api-2', 'worker-1', 'worker-2'];

export type Deployment = {
  /** Where the shipped proxy and the apps are published. */
  url: string;
  appsUrl: string;
  /** A copy of what is shipped, with its `.env` and its secrets. */
  folder: string;
  outside: Outside;
  /** What stands in `.env`. */
  settings: Record<string, string>;
  /** The compose tool's name for all of it, before each of its networks and volumes. */
  project: string;
  /** Runs the compose tool with the shipped file. */
  compose(...args: readonly string[]): Promise<string>;
  /** Runs what the documents tell to type in the folder, `docker compose …` among it. */
  type(commands: string): Promise<string>;
  /** Runs a program in a running container. */
  exec(service: string, ...command: readonly string[]): Promise<string>;
  /** The container of a service, whichever it is by now. */
  idOf(service: string): Promise<string>;
  close(): Promise<void>;
};

/**
 * Lays out a deployment as an operator would: the shipped files, `deploy/make-secrets.sh`, `.env`.
 * Nothing is started yet but what is outside of it. `close` removes its containers and volumes.
 */
export async function layOut(): Promise<Deployment> {
  const cleanUps: Array<() => Promise<unknown>> = [];
  const onClose = (cleanUp: () => Promise<unknown>) => void cleanUps.push(cleanUp);
  const close = async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  };
  try {
    return { ...(await prepare(onClose)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function prepare(
  onClose: (cleanUp: () => Promise<unknown>) => void,
): Promise<Omit<Deployment, 'close'>> {
  const folder = await mkdtemp(join(tmpdir(), 'loyalty-containers-'));
  onClose(() => rm(folder, { recursive: true, force: true }));
  await cp(join(ROOT, 'docker-compose.yml'), join(folder, 'docker-compose.yml'));
  await cp(join(ROOT, 'deploy'), join(folder, 'deploy'), {
    recursive: true,
    filter: (path) => !path.startsWith(join(ROOT, 'deploy/secrets/')),
  });
  const [port, appsPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  await mkdir(join(folder, 'outside'));
  const outside = await startOutside(join(folder, 'outside'), url, onClose);
  const settings = await writeSettings(folder, outside, { url, port, appsPort });
  await startApi(folder, onClose);

  const project = `loyalty${randomBytes(3).toString('hex')}`;
  await removeLeftovers();
  await makeNetworks(folder, project);
  const files = ['-f', 'docker-compose.yml', '-f', 'here.yml'];
  const options = [...files, '--project-name', project, '--profile', 'temporal'];
  const compose = async (...args: readonly string[]) => {
    const said = await run(
      'docker-compose',
      [...options, '--profile', 'apps', ...args],
      PATIENT,
      folder,
    );
    // What Podman 4.3 starts for the compose tool is isolated only after this.
    if (args.includes('up')) await podman('network', 'reload', '--all');
    return said;
  };
  onClose(removeLeftovers);
  const programs = await typedPrograms(folder, [...options, '--profile', 'apps']);
  const type = (commands: string) =>
    run(
      'sh',
      ['-eu', '-c', `exec </dev/null\n${commands}`],
      { ...PATIENT, PATH: `${programs}:${process.env.PATH}` },
      folder,
    );
  const idOf = async (service: string) => {
    const wanted = [`label=com.docker.compose.service=${service}`, `name=^${project}`];
    const filters = wanted.flatMap((each) => ['--filter', each]);
    const [id] = (await podman('ps', '--all', '--quiet', ...filters)).split('\n');
    if (!id) throw new Error(`${service} has no container`);
    return id;
  };
  onClose(startHealthChecks(project));
  return {
    url,
    appsUrl: `http://127.0.0.1:${appsPort}`,
    folder,
    settings,
    project,
    outside,
    compose,
    type,
    exec: async (service, ...command) => await podman('exec', await idOf(service), ...command),
    idOf,
  };
}

/**
 * Makes a folder with `docker`: `docker compose` is the compose tool with these options, and waits
 * for a service as later ones do; all else is what Podman says to it.
 */
async function typedPrograms(folder: string, options: readonly string[]): Promise<string> {
  const programs = join(folder, 'programs');
  await mkdir(programs);
  const docker = `#!/bin/sh
set -eu
if [ "$1" != compose ]; then exec podman "$@"; fi
shift
wait=
for argument in "$@"; do
  shift
  if [ "$argument" = --wait ]; then wait=yes; else set -- "$@" "$argument"; fi
  service=$argument
done
compose='docker-compose ${options.join(' ')}'
if [ -z "$wait" ]; then exec $compose "$@"; fi
$compose "$@"
id=$($compose ps -q "$service")
until podman healthcheck run "$id"; do sleep 1; done
`;
  await writeFile(join(programs, 'docker'), docker, { mode: 0o755 });
  return programs;
}

/** Writes the secrets, the settings, and what has to be otherwise because there is no internet. */
async function writeSettings(
  folder: string,
  outside: Outside,
  at: { url: string; port: number; appsPort: number },
): Promise<Record<string, string>> {
  await run('sh', ['deploy/make-secrets.sh'], {}, folder);
  for (const name of [
    'SMTP_URL',
    'ALPHA_APP_SECRET',
    'ALPHA_WEBHOOK_SIGNATURE_KEY',
    'BETA_APP_SECRET',
    'BETA_WEBHOOK_SECRET',
  ]) {
    const path = join(folder, 'deploy/secrets', name.toLowerCase());
    await writeFile(path, String(outside.secrets[name]));
  }
  const settings = {
    ...outside.settings,
    API_BASE_URL: at.url,
    FRONTEND_URL: `http://127.0.0.1:${at.appsPort}`,
    ADMIN_EMAIL_DOMAIN: 'loyalty.example',
    ALPHA_ENVIRONMENT: 'sandbox',
    BETA_ENVIRONMENT: 'sandbox',
    APPS_CLIENT_ID: 'loyalty-apps',
    HTTP_PORT: String(at.port),
    APPS_PORT: String(at.appsPort),
    ...BRISK,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(folder, '.env'), lines.join(''));
  const ours = {
    environment: { ...outside.origins, NODE_EXTRA_CA_CERTS: '/run/outside.pem' },
    volumes: [`${outside.certificate}:/run/outside.pem:ro`],
  };
  const here = {
    services: Object.fromEntries(OURS.map((name) => [name, ours])),
  };
  await writeFile(join(folder, 'here.yml'), stringify(here, { aliasDuplicateObjects: false }));
  return settings;
}

/** Removes what is there, also of a run that was killed: nobody else uses this storage. */
async function removeLeftovers(): Promise<void> {
  await podman('pod', 'rm', '--all', '--force');
  await podman('rm', '--all', '--force', '--volumes');
  await podman('network', 'prune', '--force');
  await podman('volume', 'prune', '--force');
}

const Networks = z.object({
  networks: z.record(z.string(), z.object({ internal: z.boolean().default(false) }).nullable()),
});

/**
 * Makes the networks of the compose file before its tool does: asked by that, Podman 4.3 makes none
 * internal, and none isolated from the others, as all are of Docker.
 */
async function makeNetworks(folder: string, project: string): Promise<void> {
  const shipped = await readFile(join(folder, 'docker-compose.yml'), 'utf8');
  const { networks } = Networks.parse(parse(shipped, { merge: true }));
  for (const [name, network] of Object.entries(networks)) {
    const labels = [`compose.project=${project}`, `compose.network=${name}`];
    await podman(
      'network',
      'create',
      '--opt=isolate=true',
      ...labels.map((label) => `--label=com.docker.${label}`),
      ...(network?.internal ? ['--internal'] : []),
      ...(name === 'app' ? [`--subnet=${SUBNET}`, `--gateway=${HERE}`] : []),
      `${project}_${name}`,
    );
  }
}

/** Starts Podman's side of the API that the compose tool speaks. */
async function startApi(
  folder: string,
  onClose: (cleanUp: () => Promise<unknown>) => void,
): Promise<void> {
  const server = await startServer({
    command: 'podman',
    args: ['system', 'service', '--time=0', `unix://${SOCKET}`],
    logFile: join(folder, 'podman.log'),
    signalAtExit: 'SIGTERM',
    env,
  });
  onClose(() => server.stop([{ signal: 'SIGTERM', waitMs: 10_000 }]));
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(200)) {
    const answers = await podman('--remote', '--url', `unix://${SOCKET}`, 'version').catch(
      () => '',
    );
    if (answers !== '') return;
  }
  throw new Error(`Podman does not listen:\n${server.logTail()}`);
}
