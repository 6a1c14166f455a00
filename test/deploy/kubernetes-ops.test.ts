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
const Pod = z.looseObject({ containers: z.tuple([Container]) });
const template = z.object({ template: z.object({ spec: Pod }) });
const read = (path: string): unknown => parse(readFileSync(`${FOLDER}${path}`, 'utf8'));

it('a Job of an operator has the settings, secrets and limits of a worker, and runs by itself never', () => {
  const worker = z.object({ spec: template }).parse(read('base/worker.yaml')).spec.template.spec;
  const Cron = z.object({
    spec: z.object({ suspend: z.boolean(), jobTemplate: z.object({ spec: template }) }),
  });
  const { suspend, jobTemplate } = Cron.parse(read('ops/ops.yaml')).spec;
  const ops = jobTemplate.spec.template.spec;
  expect(suspend).toBe(true);
  const { volumes, securityContext, serviceAccountName, automountServiceAccountToken } = worker;
  const same = { volumes, securityContext, serviceAccountName, automountServiceAccountToken };
  expect(ops).toMatchObject(same);
  const own = ['OPS', 'WORKER_HEALTH_PORT'];
  const settings = ({ containers: [{ env, envFrom, volumeMounts, image }] }: typeof worker) => {
    return { env: env.filter(({ name }) => !own.includes(name)), envFrom, volumeMounts, image };
  };
  expect(settings(ops)).toEqual(settings(worker));
  expect(ops.containers[0].securityContext).toEqual(worker.containers[0].securityContext);
  expect(ops.containers[0].command.join(' ')).toContain('node ops/main.ts');
});
