import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);

const CONFIGURATION = fileURLToPath(new URL('schemathesis.toml', import.meta.url));
/** More find more, and take longer: `SCHEMATHESIS_EXAMPLES=200 npm run test:foreign`. */
const EXAMPLES = process.env.SCHEMATHESIS_EXAMPLES || '10';
const CURSOR = '#/components/parameters/cursor';
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Whose requests are made, and with which ids, by the name of the parameter. */
export type Caller = { token: string | undefined; ids: Readonly<Record<string, string>> };

/** What was found, in schemathesis' own words; empty if nothing was. */
export type Report = { findings: string; summary: string };

/**
 * Sends requests that follow from the document, and some that break it, with every check, always
 * the same ones. Throws if schemathesis itself fails.
 */
export async function runSchemathesis(
  python: string,
  at: { apiUrl: string; folder: string; name: string },
  { token, ids }: Caller,
): Promise<Report> {
  const directory = join(at.folder, at.name);
  await mkdir(directory, { recursive: true });
  const headers = token === undefined ? [] : ['--header', `Authorization: Bearer ${token}`];
  const run = ['-m', 'schemathesis.cli', '--config-file', CONFIGURATION, '--no-color', 'run'];
  const options = ['--checks', 'all', '--max-examples', EXAMPLES, '--generation-deterministic'];
  // It would read a stream of events to its end.
  const left = ['--exclude-path-regex', '/events$'];
  const document = await documentIn(directory, at.apiUrl);
  const args = [...run, document, '--url', at.apiUrl, ...options, ...left, ...headers];
  const env = { ...process.env, ...ids, HOME: directory, NO_COLOR: '1' };
  const running = execute(python, args, { cwd: directory, env, maxBuffer: MAX_OUTPUT_BYTES });
  const { stdout, code } = await running.then(
    ({ stdout }) => ({ stdout, code: 0 }),
    (error: { stdout?: string; stderr?: string; code?: number }) => ({
      stdout: `${error.stdout}${error.stderr}`,
      code: error.code,
    }),
  );
  if (code !== 0 && code !== 1) throw new Error(`schemathesis ended with ${code}:\n${stdout}`);
  return { findings: code === 0 ? '' : stdout, summary: stdout.slice(-2_000) };
}

/** Stores the served document, and returns its path. A cursor cannot be made up, so it has none. */
async function documentIn(folder: string, apiUrl: string): Promise<string> {
  const response = await fetch(`${apiUrl}/api/v1/openapi.json`);
  const text = JSON.stringify(await response.json(), (_, value: unknown) =>
    Array.isArray(value) ? value.filter((item) => item?.$ref !== CURSOR) : value,
  );
  const path = join(folder, 'openapi.json');
  await writeFile(path, text);
  return path;
}
