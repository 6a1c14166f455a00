import { type IssueCode, Refusal } from '../../../domain/errors.ts';
import { MAX_DEPTH, MAX_EVENT_ELEMENTS, tooComplex, tooDeep } from './json-structure.ts';

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
/** NUL cannot be stored; a lone surrogate or U+FFFD is a remnant of broken text. */
const BROKEN_TEXT = /[\0\ufffd]|\p{Surrogate}/u;
/** Each element of the text has at most a value and the object or array that it is in. */
const MAX_VALUES = 2 * MAX_EVENT_ELEMENTS;

/**
 * Refuses input that no schema should have to consider: keys that reach into a prototype,
 * excessive nesting or size, and text that is not well-formed UTF-8 or contains NUL.
 */
export function refuseHostileData(what: string, data: unknown): void {
  let values = 0;
  const visit = (value: unknown, depth: number): void => {
    if (++values > MAX_VALUES) throw tooComplex(`has more than ${MAX_VALUES} values`, what);
    if (typeof value === 'string') refuseBrokenText(what, value);
    if (typeof value !== 'object' || value === null) return;
    if (depth === MAX_DEPTH) throw tooDeep(what);
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) visit(value[index], depth + 1);
      return;
    }
    for (const [key, child] of Object.entries(value)) {
      if (FORBIDDEN_KEYS.has(key))
        refuse(`The ${what} contains the key "${key}". Remove it.`, 'forbidden_key');
      refuseBrokenText(what, key);
      visit(child, depth + 1);
    }
  };
  visit(data, 0);
}

function refuseBrokenText(what: string, text: string): void {
  if (BROKEN_TEXT.test(text))
    refuse(`The ${what} contains NUL or text that is not UTF-8. Remove it.`, 'broken_text');
}

function refuse(message: string, why: IssueCode): never {
  throw new Refusal('VALIDATION_ERROR', message, why);
}
