/** Statements that remove or change what the previous release may still use. */
const CONTRACTIONS: readonly [string, RegExp][] = [
  ['drop column', /^alter table .*\bdrop (column|(?!constraint|not null|default|expression)\w)/],
  ['drop table', /^drop (table|view|function|trigger|type)\b/],
  ['rename', /^alter .*\brename\b/],
  ['change of type', /^alter table .*\balter (column )?\w+ (set data )?type\b/],
  ['set not null', /^alter table .*\bset not null\b/],
];

const CHANGES_ROWS = /\b(update \w+ (\w+ )?set|delete from|insert into|truncate)\b/;
const CONSTANT_DEFAULT = /^('[^']*'|-?[\d.]+|true|false|null|now\(\))/;

/**
 * Names what in the `up` of a migration may interrupt a running service, in a few words each
 * (db/schema/migrate.ts says what a migration may do). Contractions are allowed where the text says
 * `Contracts:`.
 */
export function dangersIn(text: string): string[] {
  const raws = rawsOf(text);
  const statements = raws.flat();
  const made = statements.flatMap((each) => /^create table (\w+)/.exec(each)?.[1] ?? []);
  const dangers = new Set<string>(dangersOfConcurrency(text, raws));
  for (const statement of statements) {
    if (!/contracts: \S/i.test(text)) {
      for (const [danger, sign] of CONTRACTIONS) if (sign.test(statement)) dangers.add(danger);
    }
    for (const danger of dangersOf(statement, made)) dangers.add(danger);
  }
  const validating = statements.filter((each) => /\bvalidate constraint\b/.test(each));
  if (validating.length > 0 && validating.length < statements.length) {
    dangers.add('validated with changes');
  }
  return [...dangers];
}

function dangersOf(statement: string, made: readonly string[]): string[] {
  const dangers: string[] = [];
  const [, indexed = ''] =
    /^create (?:unique )?index (?!concurrently).*?\bon (\w+)/.exec(statement) ?? [];
  if (indexed !== '' && !made.includes(indexed)) dangers.push('index locks');
  const isTrigger = /^create trigger\b/.test(statement);
  if (CHANGES_ROWS.test(statement) && !isTrigger) dangers.push('changes rows');
  if (/^(cluster|vacuum|reindex)\b/.test(statement)) dangers.push('locks');
  const [, altered = '', actions = ''] = /^alter table (?:only )?(\w+) (.*)$/.exec(statement) ?? [];
  if (made.includes(altered)) return dangers;
  for (const action of actionsOf(actions)) dangers.push(...dangersOfAddition(action));
  return dangers;
}

function dangersOfAddition(action: string): string[] {
  const isConstraint = /^add (constraint|check|unique|primary|foreign|exclude)\b/.test(action);
  if (isConstraint) return /not valid$/.test(action) ? [] : ['validated at once'];
  if (!/^add\b/.test(action)) return [];
  const dangers: string[] = [];
  const [, byDefault] = /\bdefault (.*)$/.exec(action) ?? [];
  if (/\bnot null\b/.test(action) && byDefault === undefined) {
    dangers.push('not null without default');
  }
  if (byDefault !== undefined && !CONSTANT_DEFAULT.test(byDefault))
    dangers.push('computed default');
  if (/\b(references|check|unique|primary key|generated)\b/.test(action)) {
    dangers.push('validated at once');
  }
  return dangers;
}

function dangersOfConcurrency(text: string, raws: readonly (readonly string[])[]): string[] {
  if (/\bconfig = \{ transaction: false, lockWaits: 'limited' \}/.test(text)) {
    return raws.every(isRepeatableDrop) ? [] : ['cannot run again'];
  }
  const locking = raws.flat().some((each) => /^lock\b/.test(each));
  if (locking) return ['locks'];
  const isWithout = /\bconfig = \{ transaction: false \}/.test(text);
  const concurrent = raws.filter((raw) => raw.some((each) => /\bconcurrently\b/.test(each)));
  if (!isWithout) return concurrent.length > 0 ? ['concurrently in a transaction'] : [];
  if (concurrent.length < raws.length) return ['without a transaction'];
  if (concurrent.some((raw) => raw.length > 1)) return ['several at once'];
  const isAgain = concurrent.every(([statement = ''], nth) => {
    const [, name] = /^create (?:unique )?index concurrently (\w+)/.exec(statement) ?? [];
    const [before = ''] = concurrent[nth - 1] ?? [];
    return name === undefined || before === `drop index concurrently if exists ${name}`;
  });
  return isAgain ? [] : ['cannot run again'];
}

/** It may lock the other table first, in the order of the service. */
function isRepeatableDrop(raw: readonly string[]): boolean {
  const isLocking = /^lock table \w+ in access exclusive mode$/.test(raw[0] ?? '');
  const [statement = '', another] = isLocking ? raw.slice(1) : raw;
  return another === undefined && /^alter table \w+ drop constraint if exists \w+$/.test(statement);
}

function upOf(text: string): string {
  const from = text.search(/\bup\(/);
  const [up = ''] = text.slice(from).split(/export async function down\b/);
  return up;
}

/**
 * Returns the statements of each `raw` call in lower case, without comments, line breaks and what
 * functions do later; also where the call names a constant of the file.
 */
function rawsOf(text: string): string[][] {
  const constants = new Map(
    [...text.matchAll(/^const (\w+) =\s*([`'"])(.*?)\2;$/gms)].map(([, name, , sql]) => [
      name,
      sql,
    ]),
  );
  const calls = upOf(text).matchAll(/\.raw\(\s*(?:([`'"])(.*?)\1|(\w+)\))/gs);
  const pieces = [...calls].map(([, , sql, name]) => sql ?? constants.get(name) ?? '');
  return pieces.map((sql) =>
    sql
      .replaceAll(/--.*$/gm, '')
      .replaceAll(/\$\$.*?\$\$/gs, '')
      .toLowerCase()
      .replaceAll(/\s+/g, ' ')
      .split(';')
      .map((statement) => statement.trim())
      .filter((statement) => statement !== ''),
  );
}

/** Splits the actions of an `alter table` at the commas outside parentheses. */
function actionsOf(actions: string): string[] {
  const found = [''];
  let depth = 0;
  for (const letter of actions) {
    if (letter === '(') depth += 1;
    if (letter === ')') depth -= 1;
    if (letter === ',' && depth === 0) found.push('');
    else found[found.length - 1] += letter;
  }
  return found.map((action) => action.trim());
}
