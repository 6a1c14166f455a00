import { expect, it } from 'vitest';
import { logChecks } from '../../../gateways/checks/at-start.ts';
import { type Check, NotKnown } from '../../../gateways/checks/check.ts';
import { logTo } from '../../support/log.ts';

const check = (name: string, look: Check['look']): Check => ({ name, todo: `Mend ${name}.`, look });
const right = check('issuer', async () => 'publishes a key');
const unknown = check('backup', () => Promise.reject(new NotKnown('nobody says')));
const wrong = check('mail server', () => Promise.reject(new Error('it does\nnot answer')));

async function logged(...checks: Check[]) {
  const lines: string[] = [];
  await logChecks(checks, logTo(lines));
  return lines.map((line) => JSON.parse(line));
}

it('logs one line where nothing is wrong', async () => {
  const expected = { event: 'surroundings_checked', checked: 2, unknown: ['backup'] };
  expect(await logged(right, unknown)).toEqual([expect.objectContaining(expected)]);
});

it('logs one line with all that is wrong, and what was found', async () => {
  const hangs = { ...check('object store', () => new Promise<string>(() => {})), withinMs: 10 };
  const expected = {
    event: 'surroundings_faulty',
    faults: {
      'mail server': 'it does not answer',
      'object store': 'there was no answer within 0.01 seconds',
    },
    unknown: [],
  };
  expect(await logged(right, wrong, hangs)).toEqual([expect.objectContaining(expected)]);
});
