import { z } from 'zod';
import { askSandbox, runCommand } from './developer/ask.ts';

await runCommand(async () => {
  const answer = await askSandbox('/codes/expire', {});
  const { expired } = z.object({ expired: z.int() }).parse(answer);
  if (expired === 0) return 'There is no code that can be used.';
  const codes = expired === 1 ? '1 code runs' : `${expired} codes run`;
  return `${codes} out now. Points go back but for EXPIRED_CODES=forfeit; owners are mailed.`;
});
