import { readFileSync } from 'node:fs';
import type { DatabasePlace } from '../domain/installation.ts';
import { isLoginRefused } from './errors.ts';

/** How connections log in, by an address whose password may change meanwhile. */
export type Login = {
  /**
   * Opens a connection at the address as it was last. If the login is refused, the address is read
   * again from its file, if it has one, and tried once more if it is another.
   */
  open<Connection>(openAt: (address: string) => Promise<Connection>): Promise<Connection>;
  /** Whether the last login was refused. */
  isRefused(): boolean;
};

/** A file that does not change is not read for each of many refused logins. */
const READ_AGAIN_MS = 1_000;

/** Creates the login of a place. */
export function createLogin({ url, urlFile }: DatabasePlace): Login {
  let address = url;
  let readAt = Number.NEGATIVE_INFINITY;
  let isRefused = false;
  const readAgain = () => {
    if (urlFile === undefined || performance.now() - readAt < READ_AGAIN_MS) return;
    readAt = performance.now();
    address = readAddress(urlFile) ?? address;
  };
  const tryAt = async <Connection>(openAt: (address: string) => Promise<Connection>) => {
    try {
      const connection = await openAt(address);
      isRefused = false;
      return connection;
    } catch (error) {
      if (isLoginRefused(error)) isRefused = true;
      throw error;
    }
  };
  return {
    isRefused: () => isRefused,
    async open(openAt) {
      const tried = address;
      try {
        return await tryAt(openAt);
      } catch (error) {
        if (!isLoginRefused(error)) throw error;
        readAgain();
        // Another connection may have read it meanwhile.
        if (address === tried) throw error;
        return tryAt(openAt);
      }
    },
  };
}

/** A file that is just being written, or is not there, changes nothing. */
function readAddress(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return URL.canParse(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
