import { Refusal } from '../../../domain/errors.ts';

/** How many of `[ { ,` outside strings a body may have. */
export const MAX_BODY_ELEMENTS = 1_000;
/** One webhook may carry the updates of many payments. */
export const MAX_EVENT_ELEMENTS = 100_000;
/** Deeper than any request of the service, yet harmless to the stack of a recursive serialiser. */
export const MAX_DEPTH = 20;

/** A search costs as much as looking at some dozens of characters. */
const CHARACTERS_BEFORE_A_SEARCH = 64;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/**
 * Refuses JSON of more than `maxElements` elements or more than `MAX_DEPTH` levels, before it is
 * parsed: parsed, a few megabytes of empty arrays are a gigabyte. It takes time in proportion to
 * the text, and no memory. The text need not be valid JSON.
 */
export function refuseComplexJson(what: string, text: string, maxElements: number): void {
  let elements = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      at = endOfString(text, at + 1);
    } else if (character === COMMA) {
      elements++;
    } else if (character === OPEN_BRACKET || character === OPEN_BRACE) {
      elements++;
      depth++;
    } else if (character === CLOSE_BRACKET || character === CLOSE_BRACE) {
      depth--;
    }
    if (elements > maxElements) throw tooComplex(`has more than ${maxElements} elements`, what);
    if (depth > MAX_DEPTH) throw tooDeep(what);
  }
}

/** Returns where the string ends whose first character is at `from`; past the text if nowhere. */
function endOfString(text: string, from: number): number {
  let at = from;
  for (;;) {
    for (const stop = at + CHARACTERS_BEFORE_A_SEARCH; at < stop; at++) {
      const character = text.charCodeAt(at);
      if (character === QUOTE || at >= text.length) return at;
      if (character === BACKSLASH) at++;
    }
    // A picture is one long string. Searching is much faster than looking at each character.
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    let escapes = quote;
    while (escapes > at && text.charCodeAt(escapes - 1) === BACKSLASH) escapes--;
    if ((quote - escapes) % 2 === 0) return quote;
    at = quote + 1;
  }
}

/** Refuses an event as `refuseComplexJson` does. To be called once its signature was verified. */
export function refuseComplexEvent(body: Buffer): void {
  // What is counted is ASCII, whose bytes occur in no other character of UTF-8.
  refuseComplexJson('event', body.toString('latin1'), MAX_EVENT_ELEMENTS);
}

/** Builds the refusal of a value that is nested too deeply. */
export function tooDeep(what: string): Refusal {
  return tooComplex(`is nested more than ${MAX_DEPTH} levels deep`, what);
}

/** Builds the refusal of a value that has too many parts. */
export function tooComplex(problem: string, what: string): Refusal {
  return new Refusal('VALIDATION_ERROR', `The ${what} ${problem}. Make it smaller.`, 'too_complex');
}
