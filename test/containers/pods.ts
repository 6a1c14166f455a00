import { chown, cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { z } from 'zod';
import { buildTool } from '../deploy/manifests.ts';
import type { Deployment } from './deployment.ts';
import { podman, run } from './engine.ts';
import { SERVICE_IMAGE } from './images.ts';

/** The user of the shipped pods, to whose group a cluster gives the files of a secret. */
const USER = 1000;

const Volume = z.looseObject({
  secret: z.object({ items: z.array(z.object({ key: z.string() })) }).optional(),
});
const Pod = z.looseObject({
  containers: z.tuple([z.looseObject({ name: z.string() })]),
  volumes: z.array(Volume),
});
const Owner = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({ template: z.object({ spec: Pod }) }),
});
const Manifest = z.looseObject({ kind: z.string() });

export type PlayedPod = {
  /** Its first address. */
  address: string;
  /** How its container is, or how it has ended. */
  state(): Promise<string>;
};

/**
 * Makes Pods of the shipped manifests, in the networks of a running deployment, whose Postgres,
 * Temporal and object store they use: of each Deployment or Job its template, with a folder of this
 * machine for its Secret. An overlay names image and settings, as an operator's does.
 */
export async function preparePods(deployment: Deployment) {
  const overlay = await writeOverlay(deployment);
  const kustomize = buildTool(deployment.folder, 'sigs.k8s.io/kustomize/kustomize/v5');
  const documents = parseAllDocuments(await run(kustomize, ['build', overlay])).map((each) =>
    Manifest.parse(each.toJS()),
  );
  const settings = documents.filter(({ kind }) => kind === 'ConfigMap');
  const play = async (name: string): Promise<PlayedPod> => {
    const owner = documents.flatMap((each) => Owner.safeParse(each).data ?? []);
    const { spec } = owner.find(({ metadata }) => metadata.name === name)?.spec.template ?? {};
    if (spec === undefined) throw new Error(`No manifest ships ${name}`);
    const volumes = await Promise.all(
      spec.volumes.map(async ({ secret, ...volume }) =>
        secret
          ? { ...volume, hostPath: await writeSecret(deployment, name, secret.items) }
          : volume,
      ),
    );
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { ...spec, volumes } };
    const file = join(deployment.folder, `${name}.yaml`);
    const options = { aliasDuplicateObjects: false };
    await writeFile(file, [...settings, pod].map((it) => stringify(it, options)).join('---\n'));
    const networks = ['app', 'data'].map((each) => `--network=${deployment.project}_${each}`);
    await podman('kube', 'play', ...networks, file);
    return await playedPod(name, `${name}-${spec.containers[0].name}`);
  };
  return { play };
}

async function playedPod(pod: string, container: string): Promise<PlayedPod> {
  const infra = await podman('pod', 'inspect', '--format', '{{.InfraContainerID}}', pod);
  const addresses = '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}';
  const [address = ''] = (await podman('inspect', '--format', addresses, infra)).split(' ');
  return {
    address,
    state: () => podman('inspect', '--format', '{{.State.Status}} {{.State.ExitCode}}', container),
  };
}

async function writeOverlay({ folder, outside, settings }: Deployment): Promise<string> {
  const overlay = join(folder, 'deploy/kubernetes/here');
  await mkdir(overlay, { recursive: true });
  const values = {
    ...settings,
    ...outside.origins,
    TEMPORAL_ADDRESS: 'temporal:7233',
    OBJECT_STORE_URL: 's3://loyalty?endpoint=http://objects:8333&region=us-east-1',
    NODE_EXTRA_CA_CERTS: '/run/secrets/loyalty/outside.pem',
  };
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(overlay, 'settings.env'), lines.join(''));
  const [newName, newTag] = SERVICE_IMAGE.split(':');
  const kustomization = {
    resources: ['../base'],
    configMapGenerator: [
      { name: 'loyalty-settings', namespace: 'loyalty', behavior: 'merge', envs: ['settings.env'] },
    ],
    images: [{ name: 'loyalty-points-service', newName, newTag }],
  };
  await writeFile(join(overlay, 'kustomization.yaml'), stringify(kustomization));
  return overlay;
}

/** Writes the files of a Secret that a pod is given, and the certificate of what is outside. */
async function writeSecret(
  { folder, outside }: Deployment,
  pod: string,
  items: readonly { key: string }[],
): Promise<{ path: string; type: string }> {
  const path = join(folder, 'pods', pod);
  await mkdir(path, { recursive: true });
  for (const { key } of items) await cp(join(folder, 'deploy/secrets', key), join(path, key));
  await cp(outside.certificate, join(path, 'outside.pem'));
  await chown(path, USER, USER);
  return { path, type: 'Directory' };
}
