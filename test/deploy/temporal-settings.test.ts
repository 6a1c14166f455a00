import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { DYNAMIC_CONFIG } from '../../sandbox/temporal/server.ts';

const FILE = new URL('../../deploy/temporal/dynamicconfig.yaml', import.meta.url);
const Values = z.record(z.string(), z.tuple([z.strictObject({ value: z.unknown() })]));

it("the deployed Temporal has the settings of the sandbox's", () => {
  const settings = Values.parse(parse(readFileSync(FILE, 'utf8')));
  const values = Object.entries(settings).map(([name, [{ value }]]) => [name, value]);
  expect(Object.fromEntries(values)).toEqual(DYNAMIC_CONFIG);
});
