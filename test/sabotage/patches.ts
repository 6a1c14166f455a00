import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PATCHES = fileURLToPath(new URL('patches/', import.meta.url));

/** A test that must fail: its file, and its title as it is written there. */
export type Catcher = { file: string; title: string };

/** A known defect that is put back into the sources, to see whether the tests find it. */
export type Sabotage = {
  name: string;
  path: string;
  /** The behaviour that the defect breaks, as a user or operator would say it. */
  breaks: string;
  catchers: Catcher[];
  changesSchema: boolean;
};

/**
 * Reads every patch, in the order of the names. Before its first line for `git apply`, each says
 * what it breaks and which tests must catch it.
 */
export function readSabotages(): Sabotage[] {
  return readdirSync(PATCHES)
    .filter((file) => file.endsWith('.patch'))
    .sort()
    .map((file) => {
      const path = join(PATCHES, file);
      const text = readFileSync(path, 'utf8');
      const changesSchema = text.includes('\n+++ b/migrations/');
      return { name: file.slice(0, -'.patch'.length), path, changesSchema, ...headOf(text) };
    });
}

function headOf(text: string): Pick<Sabotage, 'breaks' | 'catchers'> {
  const head = text.slice(0, text.indexOf('\ndiff --git '));
  const [, breaks = ''] = /^Breaks: (.+)$/m.exec(head) ?? [];
  const catchers = [...head.matchAll(/^Caught by: (\S+) › (.+)$/gm)].map(
    ([, file = '', title = '']) => ({ file, title }),
  );
  return { breaks, catchers };
}

/** Why the patch does not apply to the sources in a folder; undefined if it does. */
export function whyNotApplicable({ path }: Sabotage, folder: string): string | undefined {
  const { status, stderr } = spawnSync('git', ['apply', '--check', path], { cwd: folder });
  return status === 0 ? undefined : stderr.toString().trim();
}

/** Puts the defect in, or takes it out again. Throws if the sources are not as expected. */
export function apply({ path }: Sabotage, folder: string, direction: 'in' | 'out'): void {
  const reverse = direction === 'out' ? ['--reverse'] : [];
  execFileSync('git', ['apply', ...reverse, path], { cwd: folder });
}

/** Matches the title of a test, in which a row of its table may have filled in placeholders. */
export function titlePattern(title: string): RegExp {
  const literally = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(
    `^${title
      .split(/\$[\w.]+|%[sdifjoO#]/)
      .map(literally)
      .join('.*')}$`,
    's',
  );
}
