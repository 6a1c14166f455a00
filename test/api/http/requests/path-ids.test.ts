import { describe, expect, it } from 'vitest';
import { parseParams } from '../../../../api/http/requests/path-ids.ts';

describe('parseParams', () => {
  const id = '5b2f0d3e-0c1f-4f6e-9a3b-7f1d2c3e4a5b';

  it('returns the ids of the path in lower case, and no others', () => {
    expect(parseParams({ walletId: id.toUpperCase() })).toEqual({ walletId: id });
  });

  it.each(['', 'x', `${id}0`, ` ${id}`, `{${id}}`, id.replaceAll('-', '')])(
    'NOT_FOUND for "%s"',
    (walletId) => {
      expect(() => parseParams({ walletId })).toThrow(
        expect.objectContaining({ code: 'NOT_FOUND' }),
      );
    },
  );
});
