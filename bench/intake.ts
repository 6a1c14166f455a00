import { measureAcknowledging } from './acknowledging.ts';
import { measureAsking } from './asking.ts';
import { measureEndToEnd } from './end-to-end.ts';
import { measureIdle } from './idle.ts';
import { measureLatency } from './latency.ts';
import { measureMemory } from './memory.ts';
import { measureMixture } from './mixture.ts';
import type { Options } from './options.ts';
import type { Section } from './report.ts';
import { startService, stopService } from './service.ts';
import { measureSqlIngestion } from './sql-ingestion.ts';
import { measureStartUp } from './start-up.ts';
import type { Testbed } from './testbed.ts';
import { measureWorkerKill } from './worker-kill.ts';

/**
 * Measures ingestion part by part and prints the section of each part as soon as it is complete.
 * Returns all sections.
 */
export async function runIntake(testbed: Testbed, options: Options): Promise<Section[]> {
  const sections: Section[] = [];
  const report = (section: Section) => {
    sections.push(section);
    options.print(section);
  };
  const isWanted = (part: number) => options.parts.length === 0 || options.parts.includes(part);

  if (isWanted(1)) report(await measureAcknowledging(testbed, options));
  if (isWanted(2)) report(await measureSqlIngestion(testbed, options));
  if ([3, 4, 5, 7].some(isWanted)) {
    const service = await startService(testbed, 'service');
    if (isWanted(3)) report(await measureEndToEnd(service, options));
    if (isWanted(4)) report(await measureLatency(service, options));
    if (isWanted(7)) report(await measureMixture(service, options));
    // Its workers are not as those of the other parts.
    if (isWanted(5)) report(await measureWorkerKill(service, options));
    await stopService(service);
  }
  if (isWanted(6)) report(await measureMemory(testbed, options));
  if (isWanted(8)) report(await measureIdle(testbed, options));
  if (isWanted(9)) report(await measureStartUp(testbed, options));
  if (isWanted(10)) report(await measureAsking(testbed, options));
  return sections;
}
