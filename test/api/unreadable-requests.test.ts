import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ErrorEnvelope } from '../../api/errors.ts';
import { route } from '../../api/route.ts';
import { type Served, serveRoutes } from '../support/serve-routes.ts';

let letGo: () => void;
const gone = new Promise<void>((resolve) => {
  letGo = resolve;
});

const routes = [
  route({
    method: 'GET',
    path: '/docs',
    root: true,
    access: 'public',
    summary: 'Answers anybody',
    response: z.object({ ok: z.boolean() }),
    handle: () => ({ ok: true }),
  }),
  route({
    method: 'POST',
    path: '/things',
    root: true,
    access: 'cron-secret',
    summary: 'Takes a body',
    body: z.object({ name: z.string() }),
    response: z.object({ ok: z.boolean() }),
    handle: () => ({ ok: true }),
  }),
];

let served: Served;
beforeAll(async () => {
  served = await serveRoutes(routes);
});
afterAll(() => served.close());
