import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export type SignedRequest = {
  method?: string | undefined;
  url?: string | undefined;
  headers: IncomingHttpHeaders;
};

export type Credentials = { accessKeyId: string; secretAccessKey: string; region: string };

/** The maximum distance of a signature's date from now. */
const MAX_SKEW_MS = 15 * 60_000;
const SCHEME = new RegExp(
  '^AWS4-HMAC-SHA256 Credential=([^/]+)/(\\d{8})/([^/]+)/s3/aws4_request, ?' +
    'SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$',
);

/**
 * The S3 error code for the AWS Signature Version 4 of a request, or undefined if it is correct.
 * Written from the published description of the scheme; shares no code with the signer.
 */
export function signatureFault(
  request: SignedRequest,
  body: Buffer,
  known: Credentials,
  now = Date.now(),
): string | undefined {
  const header = (name: string) => request.headers[name]?.toString() ?? '';
  const parts = SCHEME.exec(header('authorization'));
  if (parts === null) return 'AccessDenied';
  const [, accessKeyId, day = '', region = '', signedHeaders = '', signature = ''] = parts;
  if (accessKeyId !== known.accessKeyId) return 'InvalidAccessKeyId';
  if (region !== known.region) return 'AuthorizationHeaderMalformed';

  const date = header('x-amz-date');
  if (!date.startsWith(day) || Math.abs(now - timeOf(date)) > MAX_SKEW_MS) {
    return 'RequestTimeTooSkewed';
  }
  const names = signedHeaders.split(';');
  const mustSign = Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'));
  if (![...mustSign, 'host'].every((name) => names.includes(name))) return 'AccessDenied';
  if (header('x-amz-content-sha256') !== sha256(body)) return 'XAmzContentSHA256Mismatch';

  const scope = `${day}/${region}/s3/aws4_request`;
  const canonical = canonicalRequest(request, names, header);
  const toSign = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(
    (secret, text) => hmac(secret, text),
    `AWS4${known.secretAccessKey}`,
  );
  const isRight = timingSafeEqual(hmac(key, toSign), Buffer.from(signature, 'hex'));
  return isRight ? undefined : 'SignatureDoesNotMatch';
}

function canonicalRequest(
  request: SignedRequest,
  names: readonly string[],
  header: (name: string) => string,
): string {
  const [path = '/', query = ''] = (request.url ?? '/').split('?');
  const parameters = query.split('&').filter((part) => part !== '');
  return [
    request.method,
    path,
    parameters
      .map((part) => (part.includes('=') ? part : `${part}=`))
      .sort()
      .join('&'),
    ...names.map((name) => `${name}:${header(name).trim().replaceAll(/ +/g, ' ')}`),
    '',
    names.join(';'),
    header('x-amz-content-sha256'),
  ].join('\n');
}

function timeOf(date: string): number {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
