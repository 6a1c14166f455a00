/** What a program needs to run at all, and to reach the network. */
const INHERITED = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'SystemRoot',
  'LD_LIBRARY_PATH',
  'XDG_CACHE_HOME',
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
];

/**
 * Returns what of the shell a program gets that is started for trying: a list, since a shell may
 * name the database, the mail server and the keys of a real installation in more ways than anybody
 * remembers to leave out. `also` names more.
 */
export function inherited(
  also: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  return named([...INHERITED, ...also], env);
}

/** Returns those of the names that have a value, with it. */
export function named(
  names: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
