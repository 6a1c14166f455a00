import type { TestProject } from 'vitest/node';
import { z } from 'zod';

const Shared = z.object({
  databaseUrls: z.object({ superuser: z.string(), owner: z.string(), service: z.string() }),
  temporalAddress: z.string(),
});
export type SharedServers = z.infer<typeof Shared>;

/** The name under which a process of tests finds the servers that its caller has started. */
export const SHARED_SERVERS = 'SABOTAGE_SERVERS';

/** Gives the tests the servers that the caller has started. */
export function setup(project: TestProject): void {
  const shared = Shared.parse(JSON.parse(process.env[SHARED_SERVERS] ?? 'null'));
  project.provide('databaseUrls', shared.databaseUrls);
  project.provide('temporalAddress', shared.temporalAddress);
}
