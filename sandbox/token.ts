import { isPersonName, PERSON_NAMES } from './identity/people.ts';
import { obtainToken } from './identity/sign-in.ts';
import { loadState, sandboxDir } from './state.ts';

const NOT_RUNNING = 'The sandbox is not running. Start it with: npm start';

try {
  process.stdout.write(`${await tokenFor(process.argv[2])}\n`);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message.replaceAll(/\s+/g, ' ')}\n`);
  process.exitCode = 1;
}

/** Returns an access token of the person, from the running sandbox's identity provider. */
async function tokenFor(person: string | undefined): Promise<string> {
  if (person === undefined || !(isPersonName(person) || person.includes('@'))) {
    const names = PERSON_NAMES.join('|');
    throw new Error(`Name the person: npm run token -- ${names}, or the e-mail of one you added`);
  }
  const port = loadState(sandboxDir())?.ports.identity;
  if (port === undefined) throw new Error(NOT_RUNNING);
  try {
    return await obtainToken({ issuer: `http://127.0.0.1:${port}`, person });
  } catch (error) {
    // `fetch` hides a refused connection behind this type.
    if (error instanceof TypeError) throw new Error(NOT_RUNNING, { cause: error });
    throw error;
  }
}
