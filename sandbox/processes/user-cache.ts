import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns the user's folder for what can be fetched or made again. */
export function userCache(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache');
}
