import { spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';

/** How to run a program that refuses to be root, and who then has to own its files. */
export type Runner = {
  /** Goes in front of the command. */
  prefix: readonly string[];
  /** Given to spawn: the process itself changes its user. */
  uid?: number;
  /** The owner the program's files need; undefined leaves them as they are. */
  owner?: number;
};

const NOBODY = 65_534;

/**
 * The ways from root to an ordinary user, best first. In a user namespace root merely looks like
 * nobody, so files stay root's. Where containers forbid namespaces, a real nobody keeps the one
 * right it needs to pass closed parent folders. The last needs no tool, but open folders.
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
 * Finds how to run `program` on files in `folder` as an ordinary user with a name, which PostgreSQL
 * insists on: directly for such a user, else by the first way that reaches both. Throws with what to
 * do when none does.
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

/** PostgreSQL asks by access(2) whether it may run itself, where a right to pass folders is no help. */
const CAN_EXECUTE = 'fs.accessSync(process.argv[1], fs.constants.X_OK)';

/** A container can be given a user number that its list of users does not know. */
function hasName(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}

const NO_NAME =
  "PostgreSQL needs a user with a name, which yours has not, and 'unshare' (util-linux) is missing " +
  'or forbidden: run as a user that is listed in /etc/passwd.';

function noRunner(program: string, folder: string): string {
  return (
    `PostgreSQL refuses to run as root, and nothing here lets it run as somebody else: 'unshare' ` +
    `and 'setpriv' (util-linux) are missing or forbidden, and the user nobody cannot reach ` +
    `${program} or ${folder}. Run as an ordinary user, or move the project to a folder that ` +
    'everybody may enter.'
  );
}

function succeeds(way: Runner, command: readonly string[]): boolean {
  const [file = '', ...args] = [...way.prefix, ...command];
  const identity = way.uid === undefined ? {} : { uid: way.uid, gid: way.uid };
  return spawnSync(file, args, { ...identity, stdio: 'ignore' }).status === 0;
}
