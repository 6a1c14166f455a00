import { z } from 'zod';
import { loadState, sandboxDir } from '../state.ts';

const NOT_RUNNING = 'The sandbox is not running. Start it with: npm start';
const Refusal = z.object({ error: z.string() });

/**
 * Asks the running sandbox's developer page, as a command does, and returns the JSON of its answer.
 * Throws an Error with one sentence for the person when it refuses, or does not run.
 */
export async function askSandbox(path: string, body: Record<string, string>): Promise<unknown> {
  const port = loadState(sandboxDir())?.ports.developer;
  if (port === undefined) throw new Error(NOT_RUNNING);
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw new Error(NOT_RUNNING, { cause });
  });
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  throw new Error(refusalIn(text) ?? `The sandbox answered ${response.status}: ${text}`);
}

/** Runs a command; what goes wrong is printed in one line, with status 1. */
export async function runCommand(work: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(`${await work()}\n`);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${message.replaceAll(/\s+/g, ' ')}\n`);
    process.exitCode = 1;
  }
}

function refusalIn(text: string): string | undefined {
  try {
    return Refusal.parse(JSON.parse(text)).error;
  } catch {
    return undefined;
  }
}
