/** Why the simulated world refuses a command; nothing was changed. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}
