import { describe, expect, it } from 'vitest';
import { requireRoom } from '../../../api/streams/room.ts';

describe('a process', () => {
  it.each([
    { feed: 'consumer', ofUser: 9, ofAll: 4_499, says: undefined },
    { feed: 'consumer', ofUser: 10, ofAll: 10, says: 'You have 10 streams open' },
    { feed: 'shop', ofUser: 10, ofAll: 10, says: 'You have 10 streams open' },
    { feed: 'consumer', ofUser: 0, ofAll: 4_500, says: 'Too many streams' },
    { feed: 'shop', ofUser: 0, ofAll: 4_500, says: undefined },
    { feed: 'shop', ofUser: 0, ofAll: 4_999, says: undefined },
    { feed: 'shop', ofUser: 0, ofAll: 5_000, says: 'Too many streams' },
  ] as const)('with $ofAll streams, $ofUser of the user, asked for $feed: $says', (asked) => {
    const { feed, says, ...open } = asked;
    if (says === undefined) requireRoom(open, feed);
    else expect(() => requireRoom(open, feed)).toThrow(says);
  });
});
