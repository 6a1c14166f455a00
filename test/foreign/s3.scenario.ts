import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort, isListening } from '../../sandbox/processes/ports.ts';
import { type ServerProcess, startServer } from '../../sandbox/processes/processes.ts';
import { aTenant } from '../support/factories.ts';
import { startIssuer } from '../support/people/issuer.ts';
import { tokenFor } from '../support/people/tokens.ts';
import { ensureVersitygw, ifThere } from './programs.ts';
import { cleanUps, makeFolder, type Service, startRealService } from './service.ts';

// Logos in a real S3 server, which is taken away in every way.

const found = await ensureVersitygw();
const program = 'path' in found ? found.path : '';

const KEYS = { AWS_ACCESS_KEY_ID: 'AKIAFOREIGN', AWS_SECRET_ACCESS_KEY: 'the key of the bucket' };
const STOP = [{ signal: 'SIGKILL', waitMs: 5_000 }] as const;
const undo = cleanUps();
let service: Service;
let folder: string;
let port: number;
let gateway: ServerProcess;
let token: string;
let logoPath: string;

async function startGateway(secret = KEYS.AWS_SECRET_ACCESS_KEY): Promise<void> {
  const root = join(folder, 'buckets');
  gateway = await startServer({
    command: program,
    args: [
      `--access=${KEYS.AWS_ACCESS_KEY_ID}`,
      `--secret=${secret}`,
      `--port=127.0.0.1:${port}`,
      'posix',
      '--nometa',
      root,
    ],
    logFile: join(folder, 'versitygw.log'),
    signalAtExit: 'SIGTERM',
  });
  await vi.waitUntil(() => isListening(port), { timeout: 20_000 });
}

const pictures = async () => {
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#08c' } });
  return {
    contentType: 'image/png',
    base64Data: (await picture.png().toBuffer()).toString('base64'),
  };
};
const upload = async () => service.call(token, 'POST', logoPath, await pictures());
const show = (url: unknown) => fetch(String(url));
/** Without the gateway's own folder. */
const stored = async () =>
  (await readdir(join(folder, 'buckets', 'logos'))).filter((name) => name.endsWith('.webp'));

describe('a bucket at versitygw', ifThere(found), () => {
  beforeAll(async () => {
    folder = await makeFolder(undo);
    await mkdir(join(folder, 'buckets', 'logos'), { recursive: true });
    port = await freePort();
    await startGateway();
    undo.add(() => gateway.stop(STOP));
    const issuer = await startIssuer();
    undo.add(issuer.close);
    service = await startRealService(undo, {
      ...KEYS,
      OIDC_ISSUER: issuer.url,
      OBJECT_STORE_URL: `s3://logos?endpoint=http://127.0.0.1:${port}&region=us-east-1`,
    });
    const member = await aTenant(service.db);
    token = await tokenFor(service.db, issuer, { role: 'client', member });
    logoPath = `/client/tenants/${member}/branding/logo`;
  });
  afterAll(() => undo.run());

  let logoUrl: unknown;
  it('stores, shows, replaces and deletes a logo', async () => {
    const first = await upload();
    expect(first.status).toBe(200);
    const shown = await show(first.body.logoUrl);
    expect(shown.status).toBe(200);
    expect(shown.headers.get('content-type')).toBe('image/webp');
    const second = await upload();
    expect(await stored()).toHaveLength(1);
    expect((await show(first.body.logoUrl)).status).toBe(404);
    expect((await show(second.body.logoUrl)).status).toBe(200);
    for (let times = 0; times < 2; times++) {
      expect((await service.call(token, 'DELETE', logoPath)).status).toBe(200);
    }
    expect(await stored()).toEqual([]);
    logoUrl = (await upload()).body.logoUrl;
  });

  async function expectAway(): Promise<void> {
    const uploaded = await upload();
    expect(uploaded.status).toBe(503);
    expect(uploaded.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await show(logoUrl)).status).toBe(503);
    expect((await service.call(token, 'GET', '/auth/me')).status).toBe(200);
  }

  it('503 while it is down, and 200 afterwards', async () => {
    await gateway.stop(STOP);
    await expectAway();
    await startGateway();
    expect((await show(logoUrl)).status).toBe(200);
  });

  it('503 while it hangs, during which other routes answer', async () => {
    process.kill(gateway.pid, 'SIGSTOP');
    try {
      const hanging = upload();
      const begun = performance.now();
      expect((await service.call(token, 'GET', '/auth/me')).status).toBe(200);
      expect(performance.now() - begun).toBeLessThan(2_000);
      expect((await hanging).status).toBe(503);
      expect((await show(logoUrl)).status).toBe(503);
    } finally {
      process.kill(gateway.pid, 'SIGCONT');
    }
    expect((await show(logoUrl)).status).toBe(200);
  });

  it('503 while our key is refused', async () => {
    await gateway.stop(STOP);
    await startGateway('another key');
    await expectAway();
    await gateway.stop(STOP);
    await startGateway();
  });

  it('503 while there is no bucket, and nothing was lost', async () => {
    const bucket = join(folder, 'buckets', 'logos');
    await rename(bucket, join(folder, 'elsewhere'));
    await expectAway();
    await rename(join(folder, 'elsewhere'), bucket);
    expect((await show(logoUrl)).status).toBe(200);
  });
});
