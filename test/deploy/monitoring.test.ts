import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';

const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url));
const HEAD = `# The alerts of deploy/prometheus/alerts.yml, for the operator of Prometheus.
# To write it anew: npx vitest run test/deploy/monitoring.test.ts --update
`;

it('the rules for a cluster are the alerts of the compose file', async () => {
  const { groups } = parse(readFileSync(`${DEPLOY}prometheus/alerts.yml`, 'utf8'));
  const rule = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'loyalty' },
    spec: { groups },
  };
  const file = `${DEPLOY}kubernetes/monitoring/alerts.yaml`;
  await expect(HEAD + stringify(rule)).toMatchFileSnapshot(file);
});
