import { readFileSync } from 'node:fs';

/** A command of the runbook: the lines of a block that belong together, without comments. */
export function commandsOf(path: URL): string[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/^( *)```sh\n(.*?)^ *```$/gms)].flatMap(([, indent = '', block = '']) =>
    commandsIn(block.replaceAll(new RegExp(`^${indent}`, 'gm'), '')),
  );
}

function commandsIn(block: string): string[] {
  const commands: string[] = [];
  let begun = '';
  for (const line of block.split('\n')) {
    if (begun === '' && (line.trim() === '' || /^\s*#/.test(line))) continue;
    begun += begun === '' ? line : `\n${line}`;
    if (isOpen(begun)) continue;
    commands.push(begun.replace(/\s+#[^'"]*$/, ''));
    begun = '';
  }
  return commands;
}

/** Whether a shell would wait for more: an open quote, a loop, a pipe or a backslash at the end. */
function isOpen(text: string): boolean {
  const code = text.replaceAll(/\s#[^'"\n]*$/gm, '');
  const quotes = (mark: string) => code.split(mark).length - 1;
  return (
    quotes("'") % 2 === 1 ||
    quotes('"') % 2 === 1 ||
    /[|\\]\s*$/.test(code) ||
    (/^for .*; do/m.test(code) && !/^done/m.test(code))
  );
}
