import { beforeEach, describe, expect, it } from 'vitest';
import {
  createReportAdmission,
  type ReportAdmission,
} from '../../../../api/http/access/admission.ts';

let reports: ReportAdmission;
beforeEach(() => {
  reports = createReportAdmission();
});

const TOO_MANY = expect.objectContaining({
  code: 'RATE_LIMITED',
  status: 429,
  headers: { 'Retry-After': '5' },
  issues: [expect.objectContaining({ code: 'too_many_reports' })],
});

describe('createReportAdmission', () => {
  it('refuses a second report of a tenant, of either kind, until the first is done', () => {
    const leave = reports.statistics('a');
    expect(() => reports.statistics('a')).toThrow(TOO_MANY);
    expect(() => reports.export('a')).toThrow(TOO_MANY);
    leave();
    reports.export('a');
    expect(() => reports.statistics('a')).toThrow(TOO_MANY);
  });

  it('refuses a third of the statistics at once, of any tenant, and keeps no place for it', () => {
    reports.statistics('a');
    const leave = reports.statistics('b');
    expect(() => reports.statistics('c')).toThrow(TOO_MANY);
    leave();
    reports.statistics('c');
    expect(() => reports.statistics('b')).toThrow(TOO_MANY);
  });

  it('exports keep no statistics out, and the fifty-first export is refused', () => {
    for (let nth = 0; nth < 50; nth++) reports.export(`tenant ${nth}`);
    expect(() => reports.export('another')).toThrow(TOO_MANY);
    reports.statistics('a third');
  });

  it('makes pages of exports in turns, two at a time, however slowly one is taken', async () => {
    const order: string[] = [];
    let making = 0;
    async function* pagesOf(name: string) {
      for (let page = 0; page < 3; page++) {
        making += 1;
        expect(making).toBeLessThan(3);
        await new Promise((resolve) => setTimeout(resolve, 20));
        order.push(`${name}${page}`);
        making -= 1;
        yield name;
      }
    }
    // One has its first page, and takes no other.
    const slow = reports.inTurn(pagesOf('slow'));
    await slow.next();
    const taken = ['a', 'b', 'c'].map(async (name) => {
      for await (const page of reports.inTurn(pagesOf(name))) expect(page).toBe(name);
    });
    await Promise.all(taken);
    expect(order).toHaveLength(10);
    // Each had its first page before any had its last.
    const first = Math.max(...['a0', 'b0', 'c0'].map((page) => order.indexOf(page)));
    const last = Math.min(...['a2', 'b2', 'c2'].map((page) => order.indexOf(page)));
    expect(first).toBeLessThan(last);
    await slow.return(undefined);
  });

  it('goes on after a page that fails', async () => {
    async function* failing(): AsyncGenerator<string> {
      yield await Promise.reject(new Error('the database is away'));
    }
    for (let nth = 0; nth < 5; nth++) {
      await expect(reports.inTurn(failing()).next()).rejects.toThrow('away');
    }
  });
});
