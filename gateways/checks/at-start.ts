import type { Logger } from '../telemetry/logger.ts';
import { type Check, runChecks } from './check.ts';

/** Makes the checks and logs their summary in one line. Never rejects; nobody waits for it. */
export async function logChecks(checks: readonly Check[], log: Logger): Promise<void> {
  const findings = await runChecks(checks);
  const failed = findings.filter(({ state }) => state === 'failed');
  const unknown = findings.filter(({ state }) => state === 'unknown').map(({ name }) => name);
  if (failed.length === 0) {
    const text = 'What the service needs around it is there';
    log.info({ event: 'surroundings_checked', checked: findings.length, unknown }, text);
    return;
  }
  const faults = Object.fromEntries(failed.map(({ name, text }) => [name, text]));
  const text =
    'Something that the service needs is not right: npm run ops -- doctor says what to do';
  log.warn({ event: 'surroundings_faulty', faults, unknown }, text);
}
