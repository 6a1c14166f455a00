import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Credentials, signatureFault } from './sigv4.ts';

export type FakeS3 = {
  endpoint: string;
  credentials: Credentials;
  /** Objects by path: `/bucket/name`. */
  objects: Map<string, { bytes: Buffer; contentType: string | undefined }>;
  /** The error codes of refused requests, in order. */
  refused: string[];
  /** Statuses for the next requests, regardless of what they request. */
  outages: number[];
  /** While true, requests are accepted and not answered. */
  hangs: boolean;
  close(): Promise<void>;
};

/** Starts a fake S3 with one bucket, which serves only correctly signed requests. */
export async function startS3(bucket: string): Promise<FakeS3> {
  const objects: FakeS3['objects'] = new Map();
  const refused: string[] = [];
  const outages: number[] = [];
  const credentials = {
    accessKeyId: 'AKIATESTACCESSKEY',
    secretAccessKey: 'a/secret+of the tests',
    region: 'eu-central-1',
  };
  const server = createServer(async (request, response) => {
    if (fake.hangs) return;
    const body = await buffer(request);
    const fault = signatureFault(request, body, credentials);
    const outage = outages.shift();
    const path = request.url ?? '';
    const answer = (status: number, content: Buffer | string = '') => {
      response.writeHead(status).end(content);
    };
    if (outage !== undefined) return answer(outage);
    if (fault !== undefined) {
      refused.push(fault);
      return answer(403, `<Error><Code>${fault}</Code></Error>`);
    }
    if (!path.startsWith(`/${bucket}/`))
      return answer(404, '<Error><Code>NoSuchBucket</Code></Error>');
    if (request.method === 'PUT') {
      // As a bucket that locks its objects asks.
      const md5 = createHash('md5').update(body).digest('base64');
      if (request.headers['content-md5'] !== md5)
        return answer(400, '<Error><Code>InvalidDigest</Code></Error>');
      objects.set(path, { bytes: body, contentType: request.headers['content-type'] });
      return answer(200);
    }
    if (request.method === 'DELETE') {
      objects.delete(path);
      return answer(204);
    }
    const found = objects.get(path);
    return found ? answer(200, found.bytes) : answer(404, '<Error><Code>NoSuchKey</Code></Error>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  const fake: FakeS3 = {
    objects,
    refused,
    outages,
    hangs: false,
    endpoint: `http://127.0.0.1:${address.port}`,
    credentials,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return fake;
}
