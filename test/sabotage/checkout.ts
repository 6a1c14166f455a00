import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type Checkout = { folder: string; remove(): void };

/**
 * Copies the files of the checkout to a folder outside of it, changes that are not committed
 * included. The installed packages are shared.
 */
export function copyCheckout(root: string): Checkout {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'loyalty-sabotage-')));
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const removed = execFileSync('git', ['ls-files', '-z', '--deleted'], { cwd: root });
  const gone = new Set(removed.toString().split('\0'));
  const files = execFileSync('git', listed, { cwd: root }).toString().split('\0');
  for (const file of files) {
    if (file === '' || gone.has(file)) continue;
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
