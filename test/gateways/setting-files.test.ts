import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigSchema, loadOwnerUrl, loadTemporalPlace } from '../../config.ts';
import { load, problemsOf } from '../support/required-env.ts';

const names = Object.keys(ConfigSchema.shape);

describe('NAME_FILE', () => {
  const dir = mkdtempSync(join(tmpdir(), 'config-'));
  afterAll(() => rmSync(dir, { recursive: true }));

  it('names a file whose content is the value; an empty NAME beside it is none', () => {
    const path = join(dir, 'secret');
    writeFileSync(path, 'a secret from a file\n');
    for (const CRON_SECRET of ['', ' ']) {
      const config = load({ CRON_SECRET_FILE: path, CRON_SECRET });
      expect(config.CRON_SECRET).toEqual(['a secret from a file']);
    }
    expect(load({ CRON_SECRET_FILE: '', CRON_SECRET: 'the one in the open' })).toBeDefined();
  });

  it('is a problem beside NAME, for every name, and neither wins', () => {
    const path = join(dir, 'both');
    writeFileSync(path, 'a secret from a file\n');
    const both = (name: string) => ({ [name]: 'https://a.example', [`${name}_FILE`]: path });
    const ofWorkers = ['STATEMENT_SIGNING_KEY', 'VAPID_PRIVATE_KEY'];
    for (const name of names.filter((each) => !ofWorkers.includes(each))) {
      expect(problemsOf(() => load(both(name)))).toContain(
        `  ${name} and ${name}_FILE are both set: remove one of the two`,
      );
    }
    expect(problemsOf(() => loadOwnerUrl(both('DATABASE_URL')))).toHaveLength(1);
    expect(problemsOf(() => loadTemporalPlace(both('TEMPORAL_API_KEY')))).toHaveLength(1);
  });

  it('of the database stays known, to be read again', () => {
    const path = join(dir, 'address');
    const url = 'postgres://service@db.example/loyalty';
    writeFileSync(path, `${url}\n`);
    const { database, listen } = load({ DATABASE_URL: '', DATABASE_URL_FILE: path });
    expect(database).toMatchObject({ url, urlFile: path, installation: 'production' });
    expect(listen).toEqual(database);
    const other = load({ DATABASE_URL: '', DATABASE_URL_FILE: path, DATABASE_LISTEN_URL: url });
    expect(other.listen).toEqual({ url });
  });

  it('is a problem when the file cannot be read, and when it is empty', () => {
    const path = join(dir, 'none');
    expect(problemsOf(() => load({ MAIL_FROM: '', MAIL_FROM_FILE: path, PORT: 'x' }))).toEqual([
      `  MAIL_FROM cannot be read: MAIL_FROM_FILE names ${path}, which is not readable`,
      expect.stringMatching(/^ {2}PORT /),
    ]);
    const empty = join(dir, 'empty');
    writeFileSync(empty, '\n');
    expect(problemsOf(() => load({ MAIL_FROM: '', MAIL_FROM_FILE: empty }))).toEqual([
      '  MAIL_FROM is required and not set',
    ]);
  });
});
