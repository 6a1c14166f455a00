import { describe, expect, it } from 'vitest';
import { type SignedRequest, signatureFault } from './sigv4.ts';

// The two examples that AWS publishes for S3 with the signature in the Authorization header.
const known = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};
const now = Date.parse('2013-05-24T00:00:00Z');
const credential = 'Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request';

const getObject: SignedRequest = {
  method: 'GET',
  url: '/test.txt',
  headers: {
    host: 'examplebucket.s3.amazonaws.com',
    range: 'bytes=0-9',
    'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'x-amz-date': '20130524T000000Z',
    authorization:
      `AWS4-HMAC-SHA256 ${credential},` +
      'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,' +
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
};

const putObject: SignedRequest = {
  method: 'PUT',
  url: '/test%24file.text',
  headers: {
    date: 'Fri, 24 May 2013 00:00:00 GMT',
    host: 'examplebucket.s3.amazonaws.com',
    'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    'x-amz-date': '20130524T000000Z',
    'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    authorization:
      `AWS4-HMAC-SHA256 ${credential},` +
      'SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class,' +
      'Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
};
const content = Buffer.from('Welcome to Amazon S3.');

describe('signatureFault', () => {
  it('returns undefined for the published examples', () => {
    expect(signatureFault(getObject, Buffer.alloc(0), known, now)).toBeUndefined();
    expect(signatureFault(putObject, content, known, now)).toBeUndefined();
  });

  it.each<[string, string, Partial<SignedRequest>]>([
    ['another path', 'SignatureDoesNotMatch', { url: '/test%24file.texts' }],
    ['another method', 'SignatureDoesNotMatch', { method: 'GET' }],
    ['a query', 'SignatureDoesNotMatch', { url: '/test%24file.text?acl' }],
    [
      'another signed header',
      'SignatureDoesNotMatch',
      { headers: { ...putObject.headers, 'x-amz-storage-class': 'STANDARD' } },
    ],
    [
      'an unsigned x-amz header',
      'AccessDenied',
      { headers: { ...putObject.headers, 'x-amz-acl': 'public-read' } },
    ],
    ['no signature', 'AccessDenied', { headers: { ...putObject.headers, authorization: '' } }],
  ])('rejects %s with %s', (_, fault, change) => {
    expect(signatureFault({ ...putObject, ...change }, content, known, now)).toBe(fault);
  });

  it('rejects a wrong body, secret, key, region or date', () => {
    const other = (change: Partial<typeof known>) =>
      signatureFault(putObject, content, { ...known, ...change }, now);
    const anotherBody = Buffer.from('Welcome to Amazon S4.');
    expect(signatureFault(putObject, anotherBody, known, now)).toBe('XAmzContentSHA256Mismatch');
    expect(other({ secretAccessKey: 'another' })).toBe('SignatureDoesNotMatch');
    expect(other({ accessKeyId: 'another' })).toBe('InvalidAccessKeyId');
    expect(other({ region: 'eu-central-1' })).toBe('AuthorizationHeaderMalformed');
    expect(signatureFault(putObject, content, known)).toBe('RequestTimeTooSkewed');
  });
});
