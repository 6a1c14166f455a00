import { userInfo } from 'node:os';

const MAX_LENGTH = 200;

/**
 * Returns who runs a command, for the audit log: who is named by `OPERATOR`, for where several
 * people share a login, else the login itself.
 */
export function operatorOf(named = ''): string {
  return oneLine(named) || login();
}

/** A user without an entry, as containers may have, is known by number. */
function login(): string {
  try {
    return oneLine(userInfo().username);
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

function oneLine(text: string): string {
  return text
    .replaceAll(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, MAX_LENGTH);
}
