import { spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';

/** How to run a program that refuses to run as root, and the owner its files need. */
export type Runner = {
  /** Prepended to the command. */
  prefix: readonly string[];
  /** Passed to spawn, which then changes the user of the process. */
  uid?: number;
  /** The owner that the program's files need; undefined leaves them unchanged. */
  owner?: number;
};

const NOBODY = 65_534;

/**
 * The ways to run as an ordinary user from root, best first. In a user namespace root only appears
 * as the user nobody, so files stay root's. Where containers forbid namespaces, the real user
 * nobody keeps the one capability to pass closed parent folders. The last way needs no tool, but
 * open folders.
 */
const RUNNERS: readonly Runner[] = [
  {
    prefix: ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--'],
    owner: 0,
  },
  {
    prefix: [
      'setpriv',
      `--reuid=${NOBODY}`,
      `--regid=${NOBODY}`,
      '--clear-groups',
      '--inh-caps=+dac_override',
      '--ambient-caps=+dac_override',
      '--',
    ],
    owner: NOBODY,
  },
  { prefix: [], uid: NOBODY, owner: NOBODY },
];

/**
 * Finds how to run `program` on files in `folder` as an ordinary user with a name, as PostgreSQL
 * requires: directly for such a user, else by the first way that reaches both. When none does, it
 * throws an error that says what to do.
 */
export function findRunner(program: string, folder: string, ways = RUNNERS): Runner {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && hasName()) return { prefix: [] };

  const runner = ways
    .filter((way) => isRoot || way.owner === 0)
    .find(
      (way) =>
        succeeds(way, [program, '--version']) &&
        succeeds(way, ['ls', '-d', `${folder}/.`]) &&
        succeeds(way, [process.execPath, '-e', CAN_EXECUTE, program]),
    );
  if (runner === undefined) throw new Error(isRoot ? noRunner(program, folder) : NO_NAME);
  return isRoot ? runner : { prefix: runner.prefix };
}

/** PostgreSQL checks itself with access(2), where the capability to pass folders does not help. */
const CAN_EXECUTE = 'fs.accessSync(process.argv[1], fs.constants.X_OK)';

/** Whether the user has a name: a container's user id can be missing from its list of users. */
function hasName(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}

const NO_NAME =
  "PostgreSQL needs a user with a name, yours has none, and 'unshare' (util-linux) is missing or " +
  'forbidden: run as a user that is listed in /etc/passwd.';

function noRunner(program: string, folder: string): string {
  return (
    `PostgreSQL refuses to run as root, and cannot be run as another user: 'unshare' and ` +
    `'setpriv' (util-linux) are missing or forbidden, and the user nobody cannot reach ` +
    `${program} or ${folder}. Run as an ordinary user, or move the project to a folder that ` +
    'every user may enter.'
  );
}

function succeeds(way: Runner, command: readonly string[]): boolean {
  const [file = '', ...args] = [...way.prefix, ...command];
  const identity = way.uid === undefined ? {} : { uid: way.uid, gid: way.uid };
  return spawnSync(file, args, { ...identity, stdio: 'ignore' }).status === 0;
}
