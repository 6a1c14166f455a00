import { type IssueCode, Refusal } from '../../domain/errors.ts';

/** Deeper than any request of the service, yet harmless to the stack of a recursive serialiser. */
const MAX_DEPTH = 32;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
/** NUL cannot be stored; a lone surrogate or U+FFFD is a remnant of broken text. */
const BROKEN_TEXT = /[\0\ufffd]|\p{Surrogate}/u;

/**
 * Refuses input that no schema should have to consider: keys that reach into a prototype,
 * excessive nesting, and text that is not well-formed UTF-8 or contains NUL.
 */
export function refuseHostileData(what: string, data: unknown): void {
  const open: { value: unknown; depth: number }[] = [{ value: data, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') refuseBrokenText(what, value);
    if (typeof value !== 'object' || value === null) continue;
    if (depth === MAX_DEPTH)
      refuse(
        `The ${what} is nested more than ${MAX_DEPTH} levels deep. Flatten it.`,
        'too_complex',
      );
    for (const [key, child] of Object.entries(value)) {
      if (FORBIDDEN_KEYS.has(key))
        refuse(`The ${what} contains the key "${key}". Remove it.`, 'forbidden_key');
      refuseBrokenText(what, key);
      open.push({ value: child, depth: depth + 1 });
    }
  }
}

function refuseBrokenText(what: string, text: string): void {
  if (BROKEN_TEXT.test(text))
    refuse(`The ${what} contains NUL or text that is not UTF-8. Remove it.`, 'broken_text');
}

function refuse(message: string, why: IssueCode): never {
  throw new Refusal('VALIDATION_ERROR', message, why);
}
