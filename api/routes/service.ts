import { z } from 'zod';
import { reply } from '../http/replies/reply.ts';
import { route } from '../http/route.ts';
import { name, version } from '../package-info.ts';

export const showService = route({
  method: 'GET',
  path: '/',
  root: true,
  access: 'public',
  tag: 'Service',
  summary: 'Show the name of the service and its links',
  response: z.object({
    service: z.string().describe('The name of the service.'),
    links: z
      .object({
        health: z.string().describe('Whether it runs.'),
        api: z.string().describe('The API.'),
      })
      .describe('Where to go on.'),
  }),
  examples: { response: { service: name, links: { health: '/health', api: '/api/v1' } } },

  handle: ({ settings: { apiBaseUrl } }) => ({
    service: name,
    links: { health: `${apiBaseUrl}/health`, api: `${apiBaseUrl}/api/v1` },
  }),
});

export const showHealth = route({
  method: 'GET',
  path: '/health',
  root: true,
  access: 'public',
  tag: 'Service',
  summary: 'Show that the process runs, and its version',
  response: z.object({
    status: z.string().describe('`ok`.'),
    version: z.string().describe('Of the service.'),
    env: z.string().describe('The environment it was started for.'),
  }),
  examples: { response: { status: 'ok', version, env: 'production' } },

  handle: ({ settings: { env } }) => ({ status: 'ok', version, env }),
});

export const showReadiness = route({
  method: 'GET',
  path: '/health/ready',
  root: true,
  access: 'public',
  tag: 'Service',
  summary: 'Show whether requests can be served',
  description:
    '503 when Postgres cannot be reached, and while the process is stopping: send requests ' +
    'elsewhere. `degraded` when only Temporal cannot be reached: requests are still served, and ' +
    'the work they started continues when Temporal is back.',
  response: z.object({
    status: z
      .enum(['ok', 'degraded', 'draining', 'unavailable'])
      .describe('Requests are served while `ok` or `degraded`.'),
    postgres: z.boolean().describe('Whether Postgres can be reached.'),
    temporal: z.boolean().describe('Whether Temporal can be reached.'),
  }),
  otherStatuses: { 503: 'Postgres cannot be reached, or the process is stopping.' },
  examples: { response: { status: 'ok', postgres: true, temporal: true } },

  async handle({ readiness, drainState }) {
    const isAccepting = drainState.isAccepting();
    const { postgres, temporal } = await readiness.check();
    if (!postgres) {
      return reply({ status: 503, body: { status: 'unavailable', postgres, temporal } });
    }
    if (!isAccepting) {
      return reply({ status: 503, body: { status: 'draining', postgres, temporal } });
    }
    return { status: temporal ? 'ok' : 'degraded', postgres, temporal };
  },
});
