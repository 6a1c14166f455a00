import { describe, expect, it } from 'vitest';
import { readQuotedId } from '../../domain/quoted-id.ts';

const ID = '1d7f0a5b-7c21-4a53-9a11-6f9d4f635c0e';
const none = { rowId: null, code: null, paymentId: null, requestId: null };

describe('readQuotedId', () => {
  it.each([
    [ID, { rowId: ID, paymentId: ID, requestId: ID }],
    [
      '9F86D081884C',
      { code: '9F86D081884C', paymentId: '9F86D081884C', requestId: '9F86D081884C' },
    ],
    ['9f86 d081 884c', { code: '9F86D081884C' }],
    ['R9ZYM6Z9VK7WJ', { paymentId: 'R9ZYM6Z9VK7WJ', requestId: 'R9ZYM6Z9VK7WJ' }],
    ['till:2026/4711', { paymentId: 'till:2026/4711' }],
    ['gift-1', { paymentId: 'gift-1', requestId: 'gift-1' }],
    ['bakery', { requestId: 'bakery' }],
    ['ada1@example.com', {}],
    ['+49301234567', {}],
    ['Corner Café 24', {}],
    [
      '1d7f0a5b-7c21-4a53-9a11',
      { paymentId: '1d7f0a5b-7c21-4a53-9a11', requestId: '1d7f0a5b-7c21-4a53-9a11' },
    ],
  ])('reads %s as what it may be', (text, readings) => {
    expect(readQuotedId(text)).toEqual({ ...none, ...readings });
  });
});
