import { takeMonth } from '../activities/expiry/take-month.ts';
import { tellMonth } from '../activities/expiry/tell-month.ts';
import { ConfigSchema, objectsUrlFrom } from '../config.ts';
import { readCalendar } from '../db/ledger/expiring.ts';
import * as tenants from '../db/tenants/tenants.ts';
import { TenantId } from '../domain/ids.ts';
import { type Month, monthText, parseMonth } from '../domain/intervals.ts';
import { createMailer } from '../gateways/mail/mailer.ts';
import {
  type Call,
  type Command,
  parseId,
  requireNoArguments,
  requireProgrammes,
  UsageError,
} from './command.ts';
import { requireSandbox } from './sandbox-only.ts';

export const expirePoints: Command = {
  usage: 'expire-points TENANT MONTH',
  summary: 'Takes the points of all wallets of a tenant that were due by the end of a month',
  async run(call) {
    const named = await read(call);
    if (!named.hasEnded) requireSandbox(call);
    let problems = '';
    const error = (fields: object, message: string) => {
      problems += `${message}: ${JSON.stringify(fields)}\n`;
    };
    const taken = await takeMonth({ db: call.db, log: { error } }, { ...named, again: true });
    if (taken === undefined) throw noProgramme();
    const { skipped, points, wallets, failed } = taken;
    const month = monthText(named.month);
    const counts = `${counted(points, 'point')} of ${counted(wallets, 'wallet')}`;
    return {
      data: { month, ...taken },
      text:
        skipped === null
          ? `${problems}${month}: ${counts} expired.\n`
          : `${month} is skipped: ${WHY[skipped]}.\n`,
      failed: failed > 0,
    };
  },
};

const WHY = {
  suspended: 'the shop was suspended at its end, or reinstated less than 14 days before',
  no_rule: 'no reward rule is in effect, so that nobody could use points',
} as const;

export const expiryNotices: Command = {
  usage: 'expiry-notices TENANT MONTH',
  summary: "Mails a tenant's customers which of their points expire at the end of a month",
  async run(call) {
    const named = await read(call);
    if (named.hasEnded) throw new UsageError('The month is over: there is nothing to announce.');
    if (named.month > named.present) requireSandbox(call);
    const { db } = call;
    const config = call.settings(
      ConfigSchema.pick({
        SMTP_URL: true,
        MAIL_FROM: true,
        FRONTEND_URL: true,
        API_BASE_URL: true,
        OBJECT_STORE_PUBLIC_URL: true,
      }),
    );
    const mailer = createMailer({ url: config.SMTP_URL, from: config.MAIL_FROM });
    try {
      const urls = { objectsUrl: objectsUrlFrom(config), frontendUrl: config.FRONTEND_URL };
      const told = await tellMonth({ db, mailer, ...urls }, named);
      if (told === undefined) throw noProgramme();
      const month = monthText(named.month);
      const waiting =
        told.waiting === 0 ? '' : ` ${counted(told.waiting, 'mail')} could not be sent yet.`;
      const text = `${month}: ${counted(told.told, 'mail')} sent.${waiting}\n`;
      return { data: { month, ...told }, text, failed: told.waiting > 0 };
    } finally {
      await mailer.close();
    }
  },
};

type Named = { tenantId: TenantId; month: Month; present: Month; hasEnded: boolean };

async function read({ args, db }: Call): Promise<Named> {
  const [tenant, text, ...others] = args;
  if (tenant === undefined) throw new UsageError('TENANT is missing.');
  if (text === undefined) throw new UsageError('MONTH is missing.');
  requireNoArguments(others);
  const tenantId = parseId(TenantId, tenant, 'TENANT');
  const month = /^\d{4}-\d\d$/.test(text) ? parseMonth(text) : undefined;
  if (month === undefined) throw new UsageError('MONTH must be a month such as 2026-03.');
  requireProgrammes(db);
  await tenants.get(db, tenantId);
  const calendar = await readCalendar(db, tenantId);
  if (calendar === undefined) throw noProgramme();
  const present = calendar.monthOf(new Date());
  return { tenantId, month, present, hasEnded: month < present };
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function noProgramme(): Error {
  return new Error('The tenant has published no programme: its points never expire.');
}
