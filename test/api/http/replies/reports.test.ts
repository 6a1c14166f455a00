import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createReportAdmission, type Leave } from '../../../../api/http/access/admission.ts';

let admit: ReturnType<typeof createReportAdmission>;
let leaves: Leave[] = [];
beforeEach(() => {
  admit = createReportAdmission();
});
afterEach(() => {
  leaves = [];
});

const enter = (tenant: string) => {
  leaves.push(admit(tenant));
};
const leave = () => leaves.pop()?.();

describe('createReportAdmission', () => {
  it('refuses a second report of a tenant, until the first is done', () => {
    enter('a');
    expect(() => enter('a')).toThrow(
      expect.objectContaining({
        code: 'RATE_LIMITED',
        status: 429,
        headers: { 'Retry-After': '5' },
        issues: [expect.objectContaining({ code: 'too_many_reports' })],
      }),
    );
    leave();
    enter('a');
  });

  it('refuses a third report at once, of any tenant, and keeps no place for it', () => {
    enter('a');
    enter('b');
    expect(() => enter('c')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
    leave();
    enter('c');
    expect(() => enter('b')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  });
});
