import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { agedBackups, OLDEST_SECONDS } from '../../domain/backups.ts';

describe('agedBackups', () => {
  it('names each that is older than it may be, and no other', () => {
    expect(agedBackups(OLDEST_SECONDS)).toEqual([]);
    for (const kind of ['log', 'copy', 'check'] as const) {
      const ages = { ...OLDEST_SECONDS, [kind]: OLDEST_SECONDS[kind] + 1 };
      expect(agedBackups(ages)).toEqual([kind]);
    }
  });

  it('has the limits of the alerts', () => {
    const file = new URL('../../deploy/prometheus/alerts.yml', import.meta.url);
    const alerts = readFileSync(fileURLToPath(file), 'utf8');
    const limits = [...alerts.matchAll(/loyalty_backup_age_seconds\{kind="(\w+)"\}\) > (\d+)/g)];
    const found = Object.fromEntries(limits.map(([, kind, limit]) => [kind, Number(limit)]));
    expect(found).toEqual(OLDEST_SECONDS);
  });
});
