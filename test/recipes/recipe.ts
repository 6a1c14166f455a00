import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Catcher } from '../sabotage/patches.ts';

/** A change that the code is made for, as a patch of what is written by hand for it. */
export type Recipe = {
  path: string;
  /** The tests of which at least one fails without any part of it, if the types do not. */
  catchers: Catcher[];
  parts: Part[];
};

/** A hunk of the patch: the smallest part that can be forgotten. */
export type Part = { file: string; isNew: boolean; line: number; patch: string };

/** Reads a recipe of this folder. */
export function readRecipe(name: string): Recipe {
  const path = fileURLToPath(new URL(`${name}.patch`, import.meta.url));
  const [head = '', ...files] = readFileSync(path, 'utf8').split(/^(?=diff --git )/m);
  const catchers = [...head.matchAll(/^Caught by: (\S+) › (.+)$/gm)].map(
    ([, file = '', title = '']) => ({ file, title }),
  );
  return { path, catchers, parts: files.flatMap(partsOf) };
}

function partsOf(text: string): Part[] {
  const [head = '', ...hunks] = text.split(/^(?=@@ )/m);
  const [, file = ''] = /^\+\+\+ b\/(.+)$/m.exec(head) ?? [];
  const isNew = head.includes('\nnew file mode ');
  return hunks.map((hunk) => {
    const [, line = '0'] = /^@@ -\S+ \+(\d+)/.exec(hunk) ?? [];
    return { file, isNew, line: Number(line), patch: head + hunk };
  });
}

/** Why the recipe does not apply to the sources in a folder; undefined if it does. */
export function whyNotApplicable({ path }: Recipe, folder: string): string | undefined {
  const { status, stderr } = spawnSync('git', ['apply', '--check', path], { cwd: folder });
  return status === 0 ? undefined : stderr.toString().trim();
}

/** Applies a patch to the sources in a folder, or takes it out again. */
export function apply(patch: string, folder: string, direction: 'in' | 'out'): void {
  const reverse = direction === 'out' ? ['--reverse'] : [];
  execFileSync('git', ['apply', ...reverse, '-'], { cwd: folder, input: patch });
}
