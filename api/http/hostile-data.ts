import { Refusal } from '../../domain/errors.ts';

/** Deeper than any request of the service; a walk or a serialiser must not run out of stack. */
const MAX_DEPTH = 32;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
/** NUL cannot be stored; a lone surrogate or U+FFFD is what is left of broken text. */
const BROKEN_TEXT = /[\0\ufffd]|\p{Surrogate}/u;

/**
 * Refuses what no schema should have to think of: keys that reach into a prototype, nesting
 * without end, and text that is not well-formed UTF-8 or holds NUL.
 */
export function refuseHostileData(what: string, data: unknown): void {
  const open: { value: unknown; depth: number }[] = [{ value: data, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') refuseBrokenText(what, value);
    if (typeof value !== 'object' || value === null) continue;
    if (depth === MAX_DEPTH) refuse(`The ${what} is nested more than ${MAX_DEPTH} levels deep.`);
    for (const [key, child] of Object.entries(value)) {
      if (FORBIDDEN_KEYS.has(key)) refuse(`The ${what} must not have the key "${key}".`);
      refuseBrokenText(what, key);
      open.push({ value: child, depth: depth + 1 });
    }
  }
}

function refuseBrokenText(what: string, text: string): void {
  if (BROKEN_TEXT.test(text)) refuse(`The ${what} holds text that is not UTF-8, or a NUL.`);
}

function refuse(message: string): never {
  throw new Refusal('VALIDATION_ERROR', message);
}
