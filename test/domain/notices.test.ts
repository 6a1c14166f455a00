import { expect, it } from 'vitest';
import { choiceWithout, DEFAULT_CHOICES, NOTICE_KINDS } from '../../domain/notices.ts';

it('each kind of mail can be switched off, and nothing else changes by it', () => {
  const changed = NOTICE_KINDS.map((kind) => ({ ...DEFAULT_CHOICES, ...choiceWithout(kind) }));
  expect(changed).toEqual([
    { ...DEFAULT_CHOICES, points: 'never' },
    { ...DEFAULT_CHOICES, weekly: false },
    { ...DEFAULT_CHOICES, waiting: false },
  ]);
});
