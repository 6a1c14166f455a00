import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { inherited } from './processes/inherited.ts';

const Saved = z.object({
  settings: z.record(z.string(), z.string()),
  /** Where Temporal's command line is; null where the sandbox uses a server that ran already. */
  programs: z.string().nullable(),
});

/** Where the sandbox is, and who runs the command. */
const FOR_COMMANDS = ['SANDBOX_DIR', 'OPERATOR'] as const;

const fileIn = (dir: string) => join(dir, 'environment.json');

/**
 * Keeps what an operator's command needs to reach the running sandbox: the settings of its API and
 * worker. Only its owner can read the file.
 */
export function saveCommandEnvironment(
  dir: string,
  {
    settings,
    api,
    ownerUrl,
    temporalCli,
  }: {
    settings: Readonly<Record<string, string>>;
    api: string;
    ownerUrl: string;
    temporalCli: string | undefined;
  },
): void {
  const saved = {
    settings: { ...settings, DATABASE_OWNER_URL: ownerUrl, API: api },
    programs: temporalCli === undefined ? null : dirname(temporalCli),
  };
  writeFileSync(fileIn(dir), JSON.stringify(Saved.parse(saved)), { mode: 0o600 });
}

/** Forgets it, since nothing answers there any more. */
export function forgetCommandEnvironment(dir: string): void {
  rmSync(fileIn(dir), { force: true });
}

/** The environment of a command for the running sandbox; undefined if none is running. */
export function commandEnvironment(dir: string): NodeJS.ProcessEnv | undefined {
  let text: string;
  try {
    text = readFileSync(fileIn(dir), 'utf8');
  } catch {
    return undefined;
  }
  const { settings, programs } = Saved.parse(JSON.parse(text));
  const { PATH = '' } = process.env;
  const path = programs === null ? PATH : `${programs}:${PATH}`;
  // What the shell holds of another installation must not mix with this one's.
  return { ...inherited(FOR_COMMANDS), ...settings, PATH: path };
}
