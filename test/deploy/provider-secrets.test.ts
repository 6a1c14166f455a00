import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PROVIDERS } from '../../domain/payment.ts';
import { providers } from '../../gateways/providers/index.ts';

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

/** Whether a manifest mounts a secret and says where it is. */
function isGiven(manifest: string, setting: string): boolean {
  const file = setting.toLowerCase();
  const mounted = manifest.includes(`- { key: ${file}, path: ${file} }`);
  const named = new RegExp(`name: ${setting}_FILE\\W+value: /run/secrets/loyalty/${file}\\b`);
  if (mounted !== named.test(manifest)) throw new Error(`${setting} is given by half.`);
  return mounted;
}

describe.each(PROVIDERS)('the secrets of %s', (name) => {
  const { appSecret, webhookKey } = providers[name].settingNames;

  it('are made, and given to the containers', () => {
    const made = read('deploy/make-secrets.sh').split(/\s+/);
    const compose = read('docker-compose.yml').split('\n');
    for (const setting of [appSecret, webhookKey]) {
      const file = setting.toLowerCase();
      expect(made).toContain(file);
      expect(compose.some((line) => line.includes(`${setting}_FILE: /run/secrets/${file}`))).toBe(
        true,
      );
      expect(compose).toContain(`  ${file}: { file: ./deploy/secrets/${file} }`);
    }
  });

  it('are given to the pods that read them', () => {
    const [api = '', worker = '', ops = ''] = ['base/api', 'base/worker', 'ops/ops'].map((name) =>
      read(`deploy/kubernetes/${name}.yaml`),
    );
    expect([isGiven(api, appSecret), isGiven(api, webhookKey)]).toEqual([true, true]);
    for (const pod of [worker, ops])
      expect([isGiven(pod, appSecret), isGiven(pod, webhookKey)]).toEqual([true, false]);
  });
});
