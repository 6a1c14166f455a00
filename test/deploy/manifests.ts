import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { writeSchemas } from './kubernetes-schemas.ts';

const KUBERNETES = fileURLToPath(new URL('../../deploy/kubernetes/', import.meta.url));
const TOOLS = fileURLToPath(new URL('./tools/', import.meta.url));

/** Builds a program of `test/deploy/tools` into a folder. Go keeps what it has built before. */
export function buildTool(folder: string, path: string): string {
  const program = join(folder, basename(path));
  execFileSync('go', ['build', '-mod=readonly', '-o', program, path], { cwd: TOOLS });
  return program;
}

/** Builds the programs that render and validate manifests. */
export function buildTools(folder: string) {
  const kustomize = buildTool(folder, 'sigs.k8s.io/kustomize/kustomize/v5');
  const kubeconform = buildTool(folder, 'github.com/yannh/kubeconform/cmd/kubeconform');
  const schemas = writeSchemas(folder);
  return {
    /** Renders a folder of deploy/kubernetes, as `kubectl apply -k` would. */
    render: (path: string) =>
      execFileSync(kustomize, ['build', join(KUBERNETES, path)], { encoding: 'utf8' }),
    /** Returns what is wrong with manifests, by the schemas of Kubernetes itself. */
    validate(manifests: string): { resources: number; problems: string[] } {
      const args = ['-strict', '-summary', '-output', 'json', '-schema-location', schemas];
      const output = run(kubeconform, args, manifests);
      const { resources, summary } = Report.parse(JSON.parse(output));
      return { resources: summary.valid, problems: resources.map(({ msg }) => msg) };
    },
  };
}

const Report = z.object({
  resources: z
    .array(z.object({ msg: z.string() }))
    .nullish()
    .transform((list) => list ?? []),
  summary: z.object({ valid: z.number() }),
});

/** Runs a program that may end with status 1 and says why on its output. */
function run(program: string, args: string[], input: string): string {
  try {
    return execFileSync(program, args, { input, encoding: 'utf8' });
  } catch (error) {
    const { stdout } = z.object({ stdout: z.string().min(1) }).parse(error);
    return stdout;
  }
}

const Probe = z
  .looseObject({ httpGet: z.object({ path: z.string(), port: z.string() }).optional() })
  .optional();
const EnvVar = z.object({ name: z.string(), value: z.string() });
const Container = z.object({
  image: z.string(),
  command: z.array(z.string()).default([]),
  env: z.array(EnvVar).default([]),
  envFrom: z.array(z.object({ configMapRef: z.object({ name: z.string() }) })).default([]),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })).default([]),
  startupProbe: Probe,
  livenessProbe: Probe,
  readinessProbe: Probe,
  securityContext: z.object({
    allowPrivilegeEscalation: z.boolean(),
    readOnlyRootFilesystem: z.boolean(),
    capabilities: z.object({ drop: z.array(z.string()) }),
  }),
  resources: z.object({ limits: z.object({ memory: z.string() }) }),
});
const Items = z.object({ items: z.array(z.object({ key: z.string() })).default([]) });
const PodSpec = z.object({
  automountServiceAccountToken: z.boolean(),
  terminationGracePeriodSeconds: z.number().optional(),
  securityContext: z.object({
    runAsNonRoot: z.boolean(),
    runAsUser: z.number(),
    seccompProfile: z.object({ type: z.string() }),
  }),
  containers: z.tuple([Container]),
  volumes: z.array(z.object({ name: z.string(), secret: Items.optional() })),
});
export type PodSpec = z.infer<typeof PodSpec>;

const Manifest = z.looseObject({
  kind: z.string(),
  metadata: z.object({
    name: z.string(),
    labels: z.record(z.string(), z.string()).default({}),
  }),
  data: z.record(z.string(), z.string()).default({}),
  spec: z.looseObject({}).default({}),
});
export type Manifest = z.infer<typeof Manifest>;

/** Reads what was rendered. */
export function readManifests(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => Manifest.parse(document.toJS()));
}

/** The pods of a Deployment or a Job. */
export function podOf(manifests: readonly Manifest[], name: string): PodSpec {
  const Owner = z.object({ spec: z.object({ template: z.object({ spec: PodSpec }) }) });
  const owner = manifests.find((each) => each.metadata.name === name && each.spec.template);
  return Owner.parse(owner).spec.template.spec;
}
