import { readFileSync } from 'node:fs';

/** Reports what is wrong with the environment: one line per name, which says what it needs. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(problems: readonly string[]) {
    super(['The configuration has problems:', ...problems].join('\n  '));
  }
}

/** Reads the values of names as `readValue` does; a blank one counts as absent. */
export function readValues(
  names: readonly string[],
  env: NodeJS.ProcessEnv,
  problems: string[],
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of names) {
    const value = readValue(name, env, problems);
    if (value !== undefined && value.trim() !== '') values[name] = value;
  }
  return values;
}

/**
 * Reads the value of a name, or of the file that its NAME_FILE names; adds what is wrong to
 * `problems`. Neither of the two wins in silence: one of them is of another installation.
 */
export function readValue(
  name: string,
  env: NodeJS.ProcessEnv,
  problems: string[],
): string | undefined {
  const path = fileOf(name, env);
  if (path === undefined) return env[name];
  if ((env[name] ?? '').trim() !== '') {
    note(problems, `${name} and ${name}_FILE are both set: remove one of the two`);
    return undefined;
  }
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    const problem = `${name} cannot be read: ${name}_FILE names ${path}, which is not readable`;
    note(problems, problem);
    return undefined;
  }
}

/** Returns the path of the file that holds the value of a name, if there is one. */
export function fileOf(name: string, env: NodeJS.ProcessEnv): string | undefined {
  return env[`${name}_FILE`]?.trim() || undefined;
}

/** Temporal's names are read twice. */
function note(problems: string[], problem: string): void {
  if (!problems.includes(problem)) problems.push(problem);
}
