import ipaddr from 'ipaddr.js';
import { isLoopback } from './safe-settings.ts';

// Which addresses the service may be made to call. The tenant chooses the address, so
// it must lead out of our own network, however it is written.

const MAX_URL_LENGTH = 2_048;
/** All that is given out in IPv6 to reach hosts begins with these bits: 2000::/3. */
const GLOBAL_UNICAST_BITS = 0b001;

/**
 * Whether an IP address is of the public internet. Addresses that contain another one (IPv4 in
 * IPv6, NAT64, 6to4, Teredo) are not: a translator decides where they lead.
 */
function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  const [first = 0] = parsed.toByteArray();
  return parsed.kind() === 'ipv4' || first >> 5 === GLOBAL_UNICAST_BITS;
}

/** Whether an IP address is this machine: 127.0.0.0/8 or ::1, each written as itself. */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback';
}

/** Whether an IP address may be called: public, or loopback where that is allowed. */
export function mayCall(address: string, allowsLoopback: boolean): boolean {
  return isPublicAddress(address) || (allowsLoopback && isLoopbackAddress(address));
}

/**
 * Says what is wrong with the address of an endpoint; undefined if nothing is that can be told
 * without resolving its name. A host of digits is read as browsers and libraries do, so that an
 * octal, hexadecimal or single number is the address it means.
 */
export function problemWithUrl(text: string, allowsLoopback: boolean): string | undefined {
  if (text.length > MAX_URL_LENGTH) return `must have at most ${MAX_URL_LENGTH} characters`;
  if (!URL.canParse(text)) return 'must be an address such as https://shop.example/hooks';
  const { protocol, username, password, hostname } = new URL(text);
  const isLocal = allowsLoopback && isLocalName(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal)) return 'must begin with https:';
  if (username !== '' || password !== '') return 'must not contain a user or password';
  const literal = literalIn(hostname);
  if (isLocal || (literal !== undefined && mayCall(literal, allowsLoopback))) return undefined;
  const isName = literal === undefined && !isLocalName(hostname);
  return isName ? undefined : 'must lead to a public address';
}

/** The IP address that a host of a URL is written as; undefined for a name. */
export function literalIn(hostname: string): string | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(address) ? address : undefined;
}

function isLocalName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return isLoopback(name) || name.endsWith('.localhost');
}
