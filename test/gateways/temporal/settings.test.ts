import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTemporalPlace } from '../../../gateways/temporal/settings.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loyalty-temporal-settings-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function read(env: Record<string, string>) {
  const problems: string[] = [];
  return { place: readTemporalPlace(env, problems), problems };
}

describe('readTemporalPlace', () => {
  it('a server on this machine, without TLS, by default and for blank values', () => {
    const place = { namespace: 'loyalty', connection: { address: 'localhost:7233', tls: false } };
    expect(read({}).place).toMatchObject(place);
    const blank = { TEMPORAL_ADDRESS: ' ', TEMPORAL_API_KEY: '', TEMPORAL_TLS: '' };
    expect(read(blank).place).toMatchObject(place);
  });

  it('an API key switches TLS on', () => {
    const { place } = read({ TEMPORAL_ADDRESS: 't.test:1', TEMPORAL_API_KEY: 'key' });
    expect(place?.connection).toMatchObject({ address: 't.test:1', tls: true, apiKey: 'key' });
  });

  it('an API key is refused with TLS off, wherever the two come from', () => {
    const refused = [expect.stringMatching(/^TEMPORAL_API_KEY is refused while TEMPORAL_TLS is /)];
    const given = read({ TEMPORAL_TLS: 'false', TEMPORAL_API_KEY: 'hunter2' });
    expect(given).toEqual({ place: undefined, problems: refused });
    expect(given.problems.join()).not.toContain('hunter2');
    const path = file('off.toml', '[profile.default.tls]\ndisabled = true\n');
    const env = { TEMPORAL_CONFIG_FILE: path, TEMPORAL_API_KEY: 'hunter2' };
    expect(read(env).problems).toEqual(refused);
  });

  it('authorization metadata is refused without TLS', () => {
    const env = { TEMPORAL_GRPC_META_AUTHORIZATION: 'Bearer hunter2' };
    expect(read(env).problems).toEqual([expect.stringContaining('TEMPORAL_TLS=true')]);
    const { place } = read({ ...env, TEMPORAL_TLS: 'true' });
    expect(place?.connection.metadata).toEqual({ authorization: 'Bearer hunter2' });
  });

  it('client certificate, CA and server name', () => {
    const { place } = read({
      TEMPORAL_TLS_CLIENT_CERT_PATH: file('client.pem', 'certificate'),
      TEMPORAL_TLS_CLIENT_KEY_PATH: file('client.key', 'key'),
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: file('ca.pem', 'ca'),
      TEMPORAL_TLS_SERVER_NAME: 'temporal.test',
    });
    const bytes = (text: string) => Uint8Array.from(Buffer.from(text));
    expect(place?.connection.tls).toEqual({
      serverNameOverride: 'temporal.test',
      serverRootCACertificate: bytes('ca'),
      clientCertPair: { crt: bytes('certificate'), key: bytes('key') },
    });
  });

  it('a certificate without its key is refused', () => {
    const { problems } = read({ TEMPORAL_TLS_CLIENT_CERT_PATH: file('client.pem', 'it') });
    expect(problems).toEqual([expect.stringContaining('TEMPORAL_TLS_CLIENT_KEY_PATH')]);
  });

  it('a profile of a file, which the environment overrides', () => {
    const path = file(
      'profiles.toml',
      '[profile.live]\naddress = "live.test:1"\nnamespace = "live"\napi_key = "key"\n',
    );
    const env = { TEMPORAL_CONFIG_FILE: path, TEMPORAL_PROFILE: 'live', TEMPORAL_NAMESPACE: 'it' };
    expect(read(env).place).toMatchObject({
      namespace: 'it',
      connection: { address: 'live.test:1', apiKey: 'key', tls: true },
    });
  });

  it('the file of a home directory is not read unless a profile is named', () => {
    const temporalio = join(folder, '.config', 'temporalio');
    mkdirSync(temporalio, { recursive: true });
    writeFileSync(join(temporalio, 'temporal.toml'), '[profile.default]\naddress = "other:1"\n');
    const home = { HOME: folder };
    expect(read(home).place?.connection.address).toBe('localhost:7233');
    const named = read({ ...home, TEMPORAL_PROFILE: 'default' });
    expect(named.place?.connection.address).toBe('other:1');
  });

  it.each([
    ['a file that is missing', '/no/such/file', 'no such file'],
    ['a file that is malformed', 'malformed', 'a file is malformed'],
    ['a file that is empty', 'empty', 'a file is malformed'],
    ['a profile that is missing', 'other', "Profile 'live' not found"],
  ])('names %s, without quoting a key', (_, which, expected) => {
    const paths = new Map([
      ['malformed', file('malformed.toml', 'api_key = "hunter2" [')],
      ['empty', file('empty.toml', '')],
      ['other', file('other.toml', '[profile.other]\n')],
    ]);
    const path = paths.get(which) ?? which;
    const { problems } = read({ TEMPORAL_CONFIG_FILE: path, TEMPORAL_PROFILE: 'live' });
    expect(problems).toEqual([expect.stringContaining(expected)]);
    expect(problems.join()).not.toContain('hunter2');
  });
});
