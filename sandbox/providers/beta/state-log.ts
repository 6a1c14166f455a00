import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { writeAtomically } from '../../state.ts';
import type { Random } from '../shared/random.ts';

/**
 * A file of changes, a line for those that happen together, with the state of the randomness.
 *
 * A line is appended in one write, so that a process killed halfway leaves all of it or, as a torn
 * last line that the next start drops, nothing of it.
 */
export class StateLog<C> {
  readonly #file: string;
  readonly #change: z.ZodType<C>;

  constructor(file: string, change: z.ZodType<C>) {
    this.#file = file;
    this.#change = change;
  }

  /** Hands over every line, oldest first; throws when anything but the last one is damaged. */
  read(apply: (changes: C[]) => void, random: Random): void {
    if (!existsSync(this.#file)) return;
    const Line = z.object({ changes: z.array(this.#change), random: z.int().min(0) });
    // What follows the last line end is a write that was never finished.
    const complete = readFileSync(this.#file, 'utf8').split('\n').slice(0, -1);
    for (const [index, text] of complete.entries()) {
      try {
        const line = Line.parse(JSON.parse(text));
        apply(line.changes);
        random.state = line.random;
      } catch (cause) {
        const where = `${this.#file} is damaged in line ${index + 1}`;
        throw new Error(`${where}. Begin anew with: npm start -- --fresh`, { cause });
      }
    }
  }

  /** Puts the changes in place of all that was written before, each in a line of its own. */
  rewrite(changes: readonly C[], random: Random): void {
    const lines = [[], ...changes.map((change) => [change])];
    writeAtomically(this.#file, lines.map((line) => toLine(line, random)).join(''));
  }

  /** Adds a line of changes that happen together. */
  append(changes: readonly C[], random: Random): void {
    appendFileSync(this.#file, toLine(changes, random));
  }
}

function toLine(changes: readonly unknown[], random: Random): string {
  return `${JSON.stringify({ changes, random: random.state })}\n`;
}
