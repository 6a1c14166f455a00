import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isLoopbackAddress } from '../../domain/webhook-address.ts';
import { AddressError, type Judged, judgedAddresses, type Resolve } from './addresses.ts';

/** What is sent to an address that somebody else has chosen. */
export type Posted = { url: URL; headers: Record<string, string>; body: string | Buffer };

/** What may be called, and until when. */
export type Calling = { allowsLoopback: boolean; resolve: Resolve; signal: AbortSignal };

/**
 * Posts to an address that somebody else has chosen, and returns the answer with its body unread. A
 * name is resolved once, all of its addresses are judged, and one of those is connected to; no
 * redirect is followed. Throws an AddressError where the address may not be called, and what Node
 * throws where there is no answer.
 */
export async function postToPublic(posted: Posted, calling: Calling): Promise<IncomingMessage> {
  const addresses = await judgedAddresses(posted.url, calling);
  const isLocal = addresses.every(({ address }) => isLoopbackAddress(address));
  if (posted.url.protocol !== 'https:' && !isLocal) {
    throw new AddressError('The address does not begin with https.');
  }
  return answerOf(posted, addresses, calling.signal);
}

function answerOf(
  { url, headers, body }: Posted,
  addresses: [Judged, ...Judged[]],
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const [first] = addresses;
  // No second resolution: Node is given the addresses that were judged.
  const lookup: LookupFunction = (_, { all }, found) =>
    all ? found(null, addresses) : found(null, first.address, first.family);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const servername = isIP(host) ? {} : { servername: host };
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sending = request(
      {
        method: 'POST',
        host,
        port: url.port || undefined,
        path: `${url.pathname}${url.search}`,
        headers: { Host: url.host, 'Content-Length': Buffer.byteLength(body), ...headers },
        agent: false,
        lookup,
        signal,
        ...servername,
      },
      resolve,
    );
    sending.on('error', reject);
    sending.end(body);
  });
}
