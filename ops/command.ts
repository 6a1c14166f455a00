import { z } from 'zod';
import { appliesProgrammes, type Db } from '../db/connection.ts';
import type { DatabasePlace } from '../domain/installation.ts';
import type { TemporalPlace } from '../gateways/temporal/settings.ts';

/** An invalid command line; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The options of all commands, as given on the command line. */
export type Options = {
  tenant?: string | undefined;
  correlation?: string | undefined;
  kind?: string | undefined;
  limit?: string | undefined;
  after?: string | undefined;
  workflow?: string | undefined;
  key?: string | undefined;
  earlier?: string | undefined;
  reason?: string | undefined;
  at?: string | undefined;
  to?: string | undefined;
};

export type Call = {
  args: readonly string[];
  options: Options;
  /** Connected when it is first asked for. */
  readonly db: Db;
  /** The settings of a part of the configuration: no command asks for more than it uses. */
  settings<Schema extends z.ZodObject>(schema: Schema): z.infer<Schema>;
  /** Where the database is, for a command that connects as the service does. */
  database(): DatabasePlace;
  /** Where the runs of the service are. */
  temporal(): TemporalPlace;
  /** Who runs the command, for the audit log. */
  readonly operator: string;
  /** Whether `--json` was given. */
  json: boolean;
  /** Writes to the standard output and waits until it has drained. */
  write(text: string): Promise<void>;
};

/** The result of a command: data for `--json`, and text for people. */
export type Done = {
  data: unknown;
  text: string;
  failed?: boolean;
  /** What was asked cannot be told yet, which is neither success nor failure. */
  undecided?: boolean;
};

export type Command = {
  /** The command line, such as `events show ID`. */
  usage: string;
  /** The options it takes besides `--json`. */
  options?: readonly (keyof Options)[];
  summary: string;
  /** Returns null when the command has already written its output. */
  run(call: Call): Promise<Done | null>;
};

/** The only argument of a command. Throws a UsageError when it is missing or not the only one. */
export function onlyArgument(args: readonly string[], name: string): string {
  const [argument, ...others] = args;
  if (argument === undefined) throw new UsageError(`${name} is missing.`);
  requireNoArguments(others);
  return argument;
}

/** Throws a UsageError when there is an argument. */
export function requireNoArguments([argument]: readonly string[]): void {
  if (argument !== undefined) throw new UsageError(`${argument} is one argument too many.`);
}

/** Parses an id. Throws a UsageError. */
export function parseId<T>(
  schema: { safeParse(text: string): { success: boolean; data?: T | undefined } },
  text: string,
  name: string,
): T {
  const { data } = schema.safeParse(text);
  if (data === undefined) throw new UsageError(`${name} must be an id such as ${EXAMPLE_ID}.`);
  return data;
}

/** Requires a day such as 2026-03-31. Throws a UsageError. */
export function requireDay(text: string): void {
  if (!z.iso.date().safeParse(text).success)
    throw new UsageError('DAY must be a day such as 2026-03-31.');
}

/** Requires that programmes are applied here, as the service does. Throws an error. */
export function requireProgrammes(db: Db): void {
  if (!appliesProgrammes(db))
    throw new Error('PROGRAMME is off, so that nothing of programmes is applied: switch it on.');
}

/** Parses the time of an option, which has to be over. Throws a UsageError. */
export function timeOver(option: string, text: string | undefined): Date {
  const at = new Date(text ?? '');
  if (Number.isNaN(at.getTime()) || at.getTime() > Date.now()) {
    throw new UsageError(`${option} must be a time that is over, such as 2026-01-31T12:00:00Z.`);
  }
  return at;
}

const EXAMPLE_ID = '3d1f6a8e-7c44-4e0a-9b9e-5a2c8d7e6f10';

/** Parses `--limit`, from 1 to 1000, or returns the default. Throws a UsageError. */
export function parseLimit({ limit }: Options, defaultLimit: number): number {
  if (limit === undefined) return defaultLimit;
  const number = Number(limit);
  if (!Number.isInteger(number) || number < 1 || number > 1_000) {
    throw new UsageError('--limit must be a number from 1 to 1000.');
  }
  return number;
}

/** Describes names and values, one pair per line, without those that are null. */
export function describeFields(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => `${name.padEnd(NAME_WIDTH)} ${textOf(value)}\n`)
    .join('');
}

const NAME_WIDTH = 22;

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Describes rows below a heading, in columns as wide as their longest value. */
export function describeTable(heading: readonly string[], rows: readonly unknown[][]): string {
  const lines = [heading, ...rows.map((row) => row.map((value) => textOf(value ?? '-')))];
  const widths = heading.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) => line.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}
