import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';

/** Recorded histories: a folder per release, and a list of their digests. */
const HISTORIES = new URL('../../histories/', import.meta.url);

/** The list's file: a line per history, as sha256sum writes it. Lines are only ever added. */
const DIGESTS = 'digests.txt';
/** Long histories are stored compressed. */
const LONG_BYTES = 200_000;
const RELEASE = /^\d+\.\d+\.\d+(-[a-z0-9.]+)?$/;

/**
 * Stores a history under a release and adds its digest to the list. Throws if the release has a
 * history of this name: what a release has done is never recorded again, since its open runs have
 * done it that way.
 */
export function recordHistory(
  { release, name }: { release: string; name: string },
  json: string,
  folder = HISTORIES,
): void {
  if (!RELEASE.test(release)) {
    throw new Error(`RECORD_HISTORIES must name a release such as 0.2.0, and not ${release}.`);
  }
  const bytes = Buffer.from(withoutMachine(json));
  const isLong = bytes.length > LONG_BYTES;
  const file = `${release}/${name}.json${isLong ? '.gz' : ''}`;
  const stored = isLong ? gzipSync(bytes) : bytes;
  mkdirSync(new URL(`${release}/`, folder), { recursive: true });
  writeFileSync(new URL(file, folder), stored, { flag: 'wx' });
  appendFileSync(new URL(DIGESTS, folder), `${digestOf(stored)}  ${file}\n`);
}

/** Lists the stored histories, as RELEASE/NAME.json or RELEASE/NAME.json.gz. */
export function listHistories(folder = HISTORIES): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.json(\.gz)?$/.test(file))
    .sort();
}

/** Reads a stored history, as JSON. */
export function readHistory(file: string, folder = HISTORIES): unknown {
  const stored = readFileSync(new URL(file, folder));
  const bytes = file.endsWith('.gz') ? gunzipSync(stored) : stored;
  return JSON.parse(bytes.toString());
}

/** Lists how the stored histories differ from the list of digests. */
export function changedHistories(folder = HISTORIES): string[] {
  const list = new URL(DIGESTS, folder);
  const lines = existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : [];
  const recorded = lines.map((line) => {
    const [digest = '', file = ''] = line.split('  ');
    return { digest, file };
  });
  const names = recorded.map(({ file }) => file);
  const stored = listHistories(folder);
  return [
    ...stored.filter((file) => !names.includes(file)).map((file) => `${file} is not in the list`),
    ...names
      .filter((file, at) => names.indexOf(file) !== at)
      .map((file) => `${file} is there twice`),
    ...recorded.flatMap(({ digest, file }) => {
      if (!stored.includes(file)) return `${file} is gone`;
      const now = digestOf(readFileSync(new URL(file, folder)));
      return now === digest ? [] : `${file} was changed`;
    }),
  ];
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Removes the name and the folders of the machine that recorded a history. */
function withoutMachine(json: string): string {
  return json
    .replaceAll(/"identity":\s*"[^"]*"/g, '"identity": "recorder"')
    .replaceAll(/"name":\s*"\d+@[^"]*"/g, '"name": "recorder"')
    .replaceAll(process.cwd(), '');
}
