import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const FOLDER = fileURLToPath(new URL('../../deploy/kubernetes/', import.meta.url));
const Container = z.looseObject({
  command: z.array(z.string()),
  env: z.array(z.looseObject({ name: z.string() })),
});
const Secret = z.looseObject({ items: z.array(z.looseObject({ key: z.string() })) });
const Pod = z.looseObject({
  containers: z.tuple([Container]),
  volumes: z.array(z.looseObject({ secret: Secret.optional() })),
});
const template = z.object({ template: z.object({ spec: Pod }) });
const read = (path: string): unknown => parse(readFileSync(`${FOLDER}${path}`, 'utf8'));

it('a Job of an operator has what a worker has, and never runs by itself', () => {
  const worker = z.object({ spec: template }).parse(read('base/worker.yaml')).spec.template.spec;
  const Cron = z.object({
    spec: z.object({ suspend: z.boolean(), jobTemplate: z.object({ spec: template }) }),
  });
  const { suspend, jobTemplate } = Cron.parse(read('ops/ops.yaml')).spec;
  const ops = jobTemplate.spec.template.spec;
  expect(suspend).toBe(true);
  const { securityContext, serviceAccountName, automountServiceAccountToken } = worker;
  expect(ops).toMatchObject({
    securityContext,
    serviceAccountName,
    automountServiceAccountToken,
  });
  const secrets = ({ volumes }: typeof worker) =>
    volumes.flatMap(({ secret }) => secret?.items.map(({ key }) => key) ?? []);
  // No command calls a phone. `doctor`, `truth` and `check-gaps` ask providers.
  expect(secrets(ops)).toEqual(secrets(worker).filter((key) => key !== 'vapid_private_key'));
  const own = ['OPS', 'WORKER_HEALTH_PORT', 'VAPID_PRIVATE_KEY_FILE'];
  const settings = ({ containers: [{ env, envFrom, volumeMounts, image }] }: typeof worker) => {
    return { env: env.filter(({ name }) => !own.includes(name)), envFrom, volumeMounts, image };
  };
  expect(settings(ops)).toEqual(settings(worker));
  expect(ops.containers[0].securityContext).toEqual(worker.containers[0].securityContext);
  expect(ops.containers[0].command.join(' ')).toContain('node ops/main.ts');
});
