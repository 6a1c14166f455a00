import type { Issue, IssueCode } from '../../domain/errors.ts';

/** What a schema finds, as many at once as there are. */
export const FIELD_ISSUES = [
  { path: 'nots', code: 'unknown_field', message: 'There is no such field. Check its name.' },
  { path: 'name', code: 'required', message: 'Invalid input: expected string, received undefined' },
  { path: 'note', code: 'wrong_type', message: 'Invalid input: expected string, received number' },
  { path: 'points', code: 'too_small', message: 'Too small: expected number to be >0' },
  { path: 'share', code: 'too_big', message: 'Too big: expected number to be <=100' },
  { path: 'rate', code: 'not_multiple_of', message: 'Invalid number: must be a multiple of 0.01' },
  { path: 'from', code: 'invalid_format', message: 'Invalid ISO datetime' },
  { path: 'policy', code: 'invalid_value', message: 'Invalid option: expected "floor" or "ceil"' },
  { path: 'country', code: 'invalid', message: 'must be a country' },
] as const satisfies readonly Issue[];

export type FieldIssue = (typeof FIELD_ISSUES)[number]['code'];
/** An issue that comes alone. */
export type RefusalIssue = Exclude<IssueCode, FieldIssue>;
