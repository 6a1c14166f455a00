import { execFile } from 'node:child_process';
import { open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { CACHE, podman } from './engine.ts';

const execute = promisify(execFile);
const CYCLONEDX = '@cyclonedx/cyclonedx-npm@6.0.1';

/** Where the last run has left the bill of materials, and its licences as a list. */
export const BILL = join(CACHE, 'loyalty-points-service.cdx.json');
export const LICENCES = join(CACHE, 'loyalty-points-service.licences.txt');

/** Packages that state their licence in a file only, which was read. */
const STATED_IN_A_FILE: Record<string, string> = { unionfs: 'Unlicense' };

const BUILD_TOOLS = /^(c\+\+|cc|cargo|clang|cmake|g\+\+|gcc|git|go|ld|make|python3?|tsc|tsx|vite)$/;
const FOLDERS = ['app', 'usr/share/loyalty-apps'];
const PROGRAMS = ['usr/bin', 'usr/local/bin', 'usr/sbin', 'app/node_modules/.bin'];

export type Contents = {
  bytes: number;
  /** Programs that build others. */
  buildTools: string[];
  /** Files that only another platform can run. */
  foreign: string[];
};

/** Reads what is in an image, without running anything of it. */
export async function contentsOf(image: string): Promise<Contents> {
  const bytes = Number(await podman('image', 'inspect', '--format', '{{.Size}}', image));
  return await mounted(image, async (root) => {
    const programs = await Promise.all(
      PROGRAMS.map((folder) => readdir(join(root, folder)).catch(() => [])),
    );
    const foreign: string[] = [];
    for (const path of await filesIn(root)) {
      if (await isForeign(path)) foreign.push(path.slice(root.length));
    }
    return { bytes, buildTools: programs.flat().filter((it) => BUILD_TOOLS.test(it)), foreign };
  });
}

/** The files that we put into an image. */
async function filesIn(root: string): Promise<string[]> {
  const options = { recursive: true, withFileTypes: true } as const;
  const listed = await Promise.all(
    FOLDERS.map((folder) => readdir(join(root, folder), options).catch(() => [])),
  );
  const files = listed.flat().filter((each) => each.isFile());
  if (files.length === 0) throw new Error('The image has none of our files');
  return files.map((file) => join(file.parentPath, file.name));
}

/** Looks at an image's files where Podman shows them. */
async function mounted<T>(image: string, work: (root: string) => Promise<T>): Promise<T> {
  const root = await podman('image', 'mount', image);
  try {
    return await work(root);
  } finally {
    await podman('image', 'unmount', image);
  }
}

/** What the e_machine of an ELF file says for this machine. */
const OURS = process.arch === 'arm64' ? 183 : 62;
const MACH_O = ['cffaedfe', 'cefaedfe', 'cafebabe'];

/** Whether a file is a program or a library of another platform. */
async function isForeign(path: string): Promise<boolean> {
  const file = await open(path);
  const head = Buffer.alloc(20);
  await file.read(head, 0, head.length, 0).finally(() => file.close());
  const magic = head.toString('hex', 0, 4);
  if (magic === '7f454c46') return head.readUInt16LE(18) !== OURS;
  const isOfWindows = magic.startsWith('4d5a') && /\.(?:dll|exe|node)$/.test(path);
  return MACH_O.includes(magic) || isOfWindows;
}

const Licence = z.union([
  z.object({ license: z.object({ id: z.string().optional(), name: z.string().optional() }) }),
  z.object({ expression: z.string() }),
]);
const Bill = z.object({
  components: z.array(
    z.object({
      name: z.string(),
      group: z.string().optional(),
      version: z.string().optional(),
      licenses: z.array(Licence).default([]),
    }),
  ),
});

export type Package = { name: string; licence: string };

/**
 * Writes the bill of materials of the packages in an image, and the list of their licences, and
 * returns that.
 */
export async function billOf(image: string): Promise<Package[]> {
  await mounted(image, async (root) => {
    // The library of the reference page is there without what its package depends on.
    const how = ['--ignore-npm-errors', '--omit', 'dev', '--output-file', BILL];
    const tool = ['exec', '--yes', '--package', CYCLONEDX, '--', 'cyclonedx-npm'];
    await execute('npm', [...tool, ...how, join(root, 'app/package.json')], { cwd: CACHE });
  });
  const { components } = Bill.parse(JSON.parse(await readFile(BILL, 'utf8')));
  const packages = components.map(({ group, name, version = '', licenses }) => ({
    name: `${group ? `${group}/` : ''}${name}@${version}`,
    licence: licenses.map(nameOf).join(' AND ') || STATED_IN_A_FILE[name] || 'none stated',
  }));
  packages.sort((a, b) => `${a.licence} ${a.name}`.localeCompare(`${b.licence} ${b.name}`));
  const lines = packages.map(({ name, licence }) => `${licence.padEnd(32)} ${name}\n`);
  await writeFile(LICENCES, lines.join(''));
  return packages;
}

function nameOf(licence: z.infer<typeof Licence>): string {
  if ('expression' in licence) return licence.expression;
  return licence.license.id ?? licence.license.name ?? 'none stated';
}

/** Licences with no duty but to name them, or with one for their own files only, unchanged here. */
const HARMLESS = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'Unlicense',
]);

/** Whether a package may be shipped: one licence of each choice that it has is harmless. */
export function mayBeShipped({ licence }: Package): boolean {
  const parts = licence.replace(/[()]/g, '').split(' AND ');
  return parts.every((part) => part.split(' OR ').some((each) => HARMLESS.has(each)));
}
