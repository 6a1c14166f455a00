import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Db } from '../../db/connection.ts';
import * as subscriptions from '../../db/notices/push-subscriptions.ts';
import type { PushSubscriptionId, UserId } from '../../domain/ids.ts';
import { required } from './factories.ts';

/** What a push service got. */
export type Received = { path: string; headers: IncomingHttpHeaders; body: Buffer };

/** Stands for a push service on this machine: it takes everything, unless it is told otherwise. */
export async function startPushService() {
  const received: Received[] = [];
  /** The status for a path; 0 is none, ever. */
  const statuses = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const { url: path = '', headers } = request;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    received.push({ path, headers, body: Buffer.concat(parts) });
    const status = statuses.get(path) ?? 201;
    if (status !== 0) response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    statuses,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A browser that has subscribed, which reads what is encrypted for it as RFC 8291 says. */
export function aBrowser() {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys();
  const auth = randomBytes(16);
  return {
    keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    /** Throws where the message is not for this browser. */
    read(body: Buffer): unknown {
      const salt = body.subarray(0, 16);
      const keyLength = body.readUInt8(20);
      const sender = body.subarray(21, 21 + keyLength);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender]);
      const shared = derive(auth, pair.computeSecret(sender), info, 32);
      const key = derive(salt, shared, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
      const nonce = derive(salt, shared, Buffer.from('Content-Encoding: nonce\0'), 12);
      const decipher = createDecipheriv('aes-128-gcm', key, nonce);
      decipher.setAuthTag(body.subarray(-16));
      const record = decipher.update(body.subarray(21 + keyLength, -16));
      const padded = Buffer.concat([record, decipher.final()]);
      // The text of the last record ends with this byte; zeros may follow.
      return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString('utf8'));
    },
  };
}

/** Subscribes a browser of a person's at an address where nobody listens. */
export async function aPushSubscription(db: Db, userId: UserId): Promise<PushSubscriptionId> {
  const { keys } = aBrowser();
  const subscription = { endpoint: `https://push.example/${crypto.randomUUID()}`, ...keys };
  return required(await db.transaction((tx) => subscriptions.add(tx, userId, subscription)));
}

function derive(salt: Buffer, secret: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length));
}
