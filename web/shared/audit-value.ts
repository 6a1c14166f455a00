import { auditTexts as texts } from '../texts/en/audit.ts';
import type { Schema } from './client.tsx';
import { dateOf, decimal, moment, money, weekdayName } from './format.ts';

type Value = Schema['AuditEntry']['before'][string] | undefined;

const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Says a value that the audit log has of a field, in words; `currency` is the shop's. */
export function auditValue(name: string, value: Value, currency: string | null): string {
  if (value === null || value === undefined || value === '') return texts.nothing;
  if (typeof value === 'number') {
    return name.endsWith('MinorUnits') ? money(value, currency) : decimal(value);
  }
  if (name === 'day') return dateOf(Date.parse(value));
  if (name === 'days') return value.split(' ').map(weekdayOf).join(', ');
  return MOMENT.test(value) ? moment(value) : wordOf(texts.values, value);
}

function weekdayOf(day: string): string {
  return /^[1-7]$/.test(day) ? weekdayName(Number(day)) : day;
}

/** The word for a name of the log, which may be newer than this app. */
export function wordOf(words: Readonly<Record<string, string>>, name: string): string {
  return words[name] ?? name;
}
