import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { podman, ROOT, say, timed } from './engine.ts';
import { CONTEXT, ensureParts } from './parts.ts';

const STAND_INS = fileURLToPath(new URL('./stand-ins', import.meta.url));

/** The certificates that this machine trusts, which its registry may need. */
const CERTIFICATES = process.env.SSL_CERT_FILE ?? '/etc/ssl/certs/ca-certificates.crt';

/** A shipped image, what stands in for it, and the command that says its version. */
const IMAGES: Record<string, { file: string; version: readonly string[] }> = {
  'docker.io/library/node': { file: 'node', version: ['node', '--version'] },
  'docker.io/library/nginx': {
    file: 'nginx',
    version: ['sh', '-c', '/opt/nginx -v 2>&1'],
  },
  'docker.io/library/postgres': { file: 'postgres', version: ['postgres', '--version'] },
  'docker.io/temporalio/server': {
    file: 'temporal-server',
    version: ['temporal-server', '--version'],
  },
  'docker.io/temporalio/admin-tools': {
    file: 'temporal-admin-tools',
    version: ['temporal-sql-tool', '--version'],
  },
  'docker.io/chrislusf/seaweedfs': {
    file: 'objects',
    version: ['sh', '-c', 'echo versitygw v1.8.0'],
  },
  'docker.io/prom/prometheus': { file: 'prometheus', version: ['prometheus', '--version'] },
  'docker.io/prom/node-exporter': {
    file: 'node-exporter',
    version: ['sh', '-c', '/bin/node_exporter --version 2>&1'],
  },
  'docker.io/prom/alertmanager': { file: 'alertmanager', version: ['alertmanager', '--version'] },
};

/** Shipped images without a stand-in: their services are not started. */
const LEFT_OUT: Record<string, string> = {
  'docker.io/grafana/grafana': 'no registry here has it',
  'docker.io/certbot/certbot': 'the profile `tls` needs a name in the world',
  'docker.io/temporalio/ui': 'its pages are not in the Go module',
  'docker.io/axllent/mailpit': 'its pages are not in the Go module; mails go to our own catcher',
};

export const SERVICE_IMAGE = 'docker.io/library/loyalty-points-service:0.1.0';
export const APPS_IMAGE = 'docker.io/library/loyalty-points-apps:0.1.0';

export type Release = 'first' | 'second';

/** A stand-in as the run reports it. */
export type StandIn = { image: string; version: string };

/**
 * Builds what stands in for the images that the Dockerfile and the compose file name, under their
 * names, and returns each with its version.
 */
export async function buildStandIns(): Promise<StandIn[]> {
  const shipped = await shippedImages();
  const node = shipped.find((image) => image.startsWith('docker.io/library/node:'));
  await ensureParts(/:(\d+\.\d+\.\d+)/.exec(node ?? '')?.[1] ?? '');
  await build('debian', 'stand-in/debian');
  const built: StandIn[] = [];
  for (const image of shipped) {
    const { file, version } = standInFor(image);
    await build(file, image);
    const command = ['--rm', '--network=none', '--entrypoint', version[0] ?? '', image];
    const said = await podman('run', ...command, ...version.slice(1));
    built.push({ image, version: said.split('\n')[0] ?? '' });
  }
  return built;
}

/** The images of both shipped files that are not built here, as registries name them. */
export async function shippedImages(): Promise<string[]> {
  const [dockerfile, compose] = await Promise.all(
    ['Dockerfile', 'docker-compose.yml'].map((file) => readFile(join(ROOT, file), 'utf8')),
  );
  const bases = [...(dockerfile ?? '').matchAll(/^FROM (\S+:\S+)/gm)];
  const images = [...(compose ?? '').matchAll(/^ +image: (\S+)/gm)];
  const named = [...bases, ...images].flatMap(([, image = '']) =>
    image.startsWith('loyalty-') ? [] : [fullName(image)],
  );
  return [...new Set(named)].filter((image) => LEFT_OUT[nameOf(image)] === undefined);
}

/** The whole name of an image, of which Docker leaves out the usual registry and folder. */
function fullName(image: string): string {
  return image.includes('/') ? `docker.io/${image}` : `docker.io/library/${image}`;
}

const nameOf = (image: string) => image.replace(/:[^:]*$/, '');

function standInFor(image: string) {
  const standIn = IMAGES[nameOf(image)];
  if (standIn === undefined) {
    throw new Error(`${image} has no stand-in: add one, or name it in LEFT_OUT`);
  }
  return standIn;
}

async function build(file: string, image: string): Promise<void> {
  const path = join(STAND_INS, `${file}.Containerfile`);
  await timed(`stand-in ${image}`, () =>
    podman('build', ...ONLINE, '--file', path, '--tag', image, CONTEXT),
  );
}

/** Steps of a build may use this machine's network, and trust whom it trusts. */
const ONLINE = [
  '--quiet',
  '--layers',
  // The other format knows no health checks.
  '--format=docker',
  '--pull=never',
  '--network=host',
  `--volume=${CERTIFICATES}:/etc/ssl/certs/ca-certificates.crt:ro`,
];

/**
 * Builds both images of the shipped Dockerfile, and two releases of each that differ in a label:
 * what they are made of is the same, and still every container of one is another.
 */
export async function buildOurs(): Promise<void> {
  await timed('image of the service', () =>
    podman('build', ...ONLINE, '--tag', SERVICE_IMAGE, ROOT),
  );
  await timed('image of the apps', () =>
    podman('build', ...ONLINE, '--target=apps', '--tag', APPS_IMAGE, ROOT),
  );
  const file = join(STAND_INS, 'release.Containerfile');
  for (const image of [SERVICE_IMAGE, APPS_IMAGE]) {
    for (const release of ['first', 'second'] as const) {
      // Podman 4.3 takes what it has built with another argument for this.
      const args = ['--no-cache', `--build-arg=OF=${image}`, `--build-arg=RELEASE=${release}`];
      const tag = nameIn(image, release);
      await podman('build', ...ONLINE, ...args, '--file', file, '--tag', tag, CONTEXT);
    }
  }
}

const nameIn = (image: string, release: Release) => `${nameOf(image)}:${release}`;

/** Gives the images of a release the names that the compose file starts. */
export async function takeRelease(release: Release): Promise<void> {
  for (const image of [SERVICE_IMAGE, APPS_IMAGE]) {
    await podman('tag', nameIn(image, release), image);
  }
}

/** Says what stands in for what. */
export function sayStandIns(standIns: readonly StandIn[]): void {
  say('\nStand-ins, shipped name and what is run:');
  for (const { image, version } of standIns) say(`  ${image.padEnd(48)} ${version}`);
  for (const [image, why] of Object.entries(LEFT_OUT))
    say(`  ${image.padEnd(48)} left out: ${why}`);
}
