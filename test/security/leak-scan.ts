import { encodingsOf, WINDOW } from './encodings.ts';

/** A secret or personal value that a run has used. */
export type Needle = { kind: string; value: string };

/** Something that a run has written, and the values that may be in it. */
export type Output = { name: string; text: string; mayHold?: readonly string[] };

/** A needle that is in an output, with the text around it, in which it is not shown. */
export type Leak = { kind: string; output: string; encoding: string; around: string };

const AROUND = 80;
/** Powers of two, so that a hash is cut to them by a mask. Few of the marked bits are by chance. */
const MARKS = 2 ** 22;
const BASE = 0x01000193;

/**
 * Lists where needles occur in outputs, in any encoding that somebody could read them from: as they
 * are, in JSON, in an address, in base64 at any offset, in hexadecimal, in any case. Each needle is
 * reported once per output and encoding. Throws for a needle so short that it may occur by chance.
 */
export function scan(run: { needles: readonly Needle[]; outputs: readonly Output[] }): Leak[] {
  const patterns = new Map<string, Pattern[]>();
  const marks = new Uint8Array(MARKS);
  for (const needle of distinct(run.needles)) {
    for (const { encoding, text } of encodingsOf(needle.value)) {
      const start = text.slice(0, WINDOW);
      patterns.set(start, [...(patterns.get(start) ?? []), { needle, encoding, text }]);
      marks[hashOf(start) & (MARKS - 1)] = 1;
    }
  }
  return run.outputs.flatMap((output) => leaksIn(output, patterns, marks));
}

type Pattern = { needle: Needle; encoding: string; text: string };

function distinct(needles: readonly Needle[]): Needle[] {
  return [...new Map(needles.map((needle) => [needle.value.toLowerCase(), needle])).values()];
}

/** Looks at each window of the text once, however many needles there are. */
function leaksIn(
  { name, text, mayHold = [] }: Output,
  patterns: ReadonlyMap<string, readonly Pattern[]>,
  marks: Uint8Array,
): Leak[] {
  const allowed = new Set(mayHold.map((value) => value.toLowerCase()));
  const found = new Map<Pattern, Leak>();
  const lower = toLower(text);
  let hash = hashOf(lower.slice(0, WINDOW));
  for (let at = 0; at + WINDOW <= lower.length; at++) {
    if (marks[hash & (MARKS - 1)] === 1) {
      for (const pattern of patterns.get(lower.slice(at, at + WINDOW)) ?? []) {
        const { needle, encoding, text: hidden } = pattern;
        if (found.has(pattern) || allowed.has(needle.value.toLowerCase())) continue;
        if (!lower.startsWith(hidden, at)) continue;
        const around = `${text.slice(Math.max(0, at - AROUND), at)}[${needle.kind}]`;
        found.set(pattern, { kind: needle.kind, output: name, encoding, around });
      }
    }
    hash = next(hash, lower.charCodeAt(at), lower.charCodeAt(at + WINDOW));
  }
  return [...found.values()];
}

/** Lower case without a change of length, which a few letters of Unicode would have. */
function toLower(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length
    ? lower
    : text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash, BASE) + text.charCodeAt(at);
  return hash | 0;
}

const LEAVING = Array.from({ length: WINDOW }).reduce<number>((power) => Math.imul(power, BASE), 1);

/** The hash of the window one further: it leaves one character and takes in another. */
function next(hash: number, leaves: number, enters: number): number {
  return (Math.imul(hash, BASE) - Math.imul(LEAVING, leaves) + enters) | 0;
}
