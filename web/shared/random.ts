/** Makes the key by which the service knows a command, however often it is sent. */
export function newKey(): string {
  // Not `randomUUID`, which browsers have on secure pages only.
  return randomHex(16);
}

/** So many random bytes, in hex. */
export function randomHex(bytes: number): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(bytes)));
}

/** Writes bytes in hex. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
