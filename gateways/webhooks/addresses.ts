import { Resolver } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { isLoopback } from '../../domain/safe-settings.ts';
import { literalIn, mayCall } from '../../domain/webhook-address.ts';

/** Finds the IP addresses of a name; none where it has none. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<string[]>;

/** An address may not be called, or does not exist; the message may be shown to the tenant. */
export class AddressError extends Error {
  override readonly name = 'AddressError';
}

/** An address in the form in which Node connects to it. */
export type Judged = { address: string; family: 4 | 6 };

/**
 * Returns the IP addresses of a URL's host, each of which may be called. They have to be used as
 * they are: the name may lead elsewhere when it is resolved again. Throws an AddressError where one
 * of them may not be called, and where there is none.
 */
export async function judgedAddresses(
  { hostname }: URL,
  options: { allowsLoopback: boolean; resolve: Resolve; signal: AbortSignal },
): Promise<[Judged, ...Judged[]]> {
  const { allowsLoopback, resolve, signal } = options;
  const literal = literalIn(hostname);
  const found = literal === undefined ? await resolve(hostname, signal) : [literal];
  const [first, ...others] = found.map((address): Judged => {
    return { address, family: isIPv6(address) ? 6 : 4 };
  });
  if (first === undefined) throw new AddressError('The name of the host has no address.');
  if (found.some((address) => !mayCall(address, allowsLoopback))) {
    throw new AddressError('The address of the host is not public.');
  }
  return [first, ...others];
}

/**
 * Asks the DNS servers for a name, and nothing else: names of the machine's own network that it
 * knows from elsewhere are no public addresses. A name of this machine needs no server.
 */
export async function resolveByDns(name: string, signal: AbortSignal): Promise<string[]> {
  if (isLoopback(name)) return ['127.0.0.1'];
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
