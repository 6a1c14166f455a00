import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { writeAtomically } from '../../write-atomically.ts';
import type { Random } from './random.ts';

/**
 * A file of changes, one line per write, with the state of the random sequence after it.
 *
 * A line is appended in one write: a process killed halfway leaves the whole line or a torn last
 * line, which the next start drops. Without a file nothing is kept.
 */
export class StateLog<C> {
  readonly #file: string | undefined;
  readonly #change: z.ZodType<C>;
  readonly #random: Random;

  constructor(file: string | undefined, change: z.ZodType<C>, random: Random) {
    this.#file = file;
    this.#change = change;
    this.#random = random;
  }

  /** Applies every change, oldest first; throws when any line but the last is damaged. */
  replay(apply: (change: C) => void): void {
    if (this.#file === undefined || !existsSync(this.#file)) return;
    const Line = z.object({ changes: z.array(this.#change), random: z.int().min(0) });
    // Text after the last line end is an unfinished write.
    const complete = readFileSync(this.#file, 'utf8').split('\n').slice(0, -1);
    for (const [index, text] of complete.entries()) {
      try {
        const line = Line.parse(JSON.parse(text));
        for (const change of line.changes) apply(change);
        this.#random.state = line.random;
      } catch (cause) {
        const where = `${this.#file} is damaged in line ${index + 1}`;
        throw new Error(`${where}. Start over with: npm start -- --fresh`, { cause });
      }
    }
  }

  /** Replaces the content of the file by these changes, one per line. */
  rewrite(changes: readonly C[]): void {
    if (this.#file === undefined) return;
    const lines = [[], ...changes.map((change) => [change])];
    writeAtomically(this.#file, lines.map((line) => this.#toLine(line)).join(''));
  }

  /** Appends changes that happen together, as one line. */
  append(changes: readonly C[]): void {
    if (this.#file !== undefined) appendFileSync(this.#file, this.#toLine(changes));
  }

  #toLine(changes: readonly C[]): string {
    return `${JSON.stringify({ changes, random: this.#random.state })}\n`;
  }
}
