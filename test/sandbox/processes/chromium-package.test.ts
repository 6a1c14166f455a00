import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { ensurePackagedChromium } from '../../../sandbox/processes/chromium-package.ts';
import { needsWhatIsMissing } from '../../support/needs.ts';
import { useFolder, useStops } from '../fixtures.ts';

const VERSION = '1.2.3';
const SAYS = 'Chromium 1.2.3, with its library';

const folder = useFolder('chromium-package-');
const addStop = useStops();
let lines: string[] = [];
beforeEach(() => {
  lines = [];
});

/** Packs what the package has in place of a browser: a program that reads one of its libraries. */
function pack(): Buffer {
  const write = (path: string, content: string | Buffer) => {
    const file = join(folder.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  const archive = (path: string) => execFileSync('tar', ['-c', '-C', folder.path, path]);
  write('lib/libnss3.so', 'its library');
  write('libEGL.so', '');
  write('fonts/Sans.ttf', '');
  const program = '#!/bin/sh\necho "Chromium 1.2.3, with $(cat "$LD_LIBRARY_PATH/libnss3.so")"\n';
  const packed = { 'al2023.tar': 'lib', 'fonts.tar': 'fonts', 'swiftshader.tar': 'libEGL.so' };
  write('package/bin/chromium.br', brotliCompressSync(program));
  for (const [name, path] of Object.entries(packed)) {
    write(`package/bin/${name}.br`, brotliCompressSync(archive(path)));
  }
  write('package/package.json', JSON.stringify({ name: '@sparticuz/chromium', version: VERSION }));
  return execFileSync('tar', ['-cz', '-C', folder.path, 'package']);
}

type Registry = { url: string; asked: string[]; release: { version: string; sha512: string } };

/** Starts a registry that has the package. */
async function aRegistry(): Promise<Registry> {
  const bytes = pack();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const about = { name: '@sparticuz/chromium', version: VERSION };
    const dist = { tarball: `${url}/package.tgz` };
    const listed = { ...about, versions: { [VERSION]: { ...about, dist } } };
    response.end(request.url === '/package.tgz' ? bytes : JSON.stringify(listed));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  addStop(async () => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const url = `http://127.0.0.1:${port}`;
  const sha512 = createHash('sha512').update(bytes).digest('base64');
  return { asked, url, release: { version: VERSION, sha512 } };
}

function ensure({ url, release }: Omit<Registry, 'asked'>) {
  const env = {
    PATH: process.env.PATH,
    HOME: folder.path,
    XDG_CACHE_HOME: join(folder.path, "a 'cache'"),
    npm_config_registry: url,
  };
  return ensurePackagedChromium((line) => lines.push(line), { env, release });
}

const versionOf = (program: string) => execFileSync(program, ['--version'], { encoding: 'utf8' });

describe('the package of a browser', () => {
  it('is fetched once, by one of many, and has libraries and fonts of its own', async () => {
    const registry = await aRegistry();
    const [program, other] = await Promise.all([ensure(registry), ensure(registry)]);
    expect(other).toBe(program);
    expect(await ensure(registry)).toBe(program);
    expect(registry.asked.filter((path) => path === '/package.tgz')).toHaveLength(1);
    expect(lines.filter((line) => line.includes('70 MB'))).toHaveLength(1);
    expect(versionOf(program)).toContain(SAYS);
    const files = join(dirname(program), 'files');
    expect(readFileSync(join(files, 'fonts.conf'), 'utf8')).toContain('>fonts</dir>');
    expect(existsSync(join(files, 'fonts/Sans.ttf'))).toBe(true);
  });

  it('is fetched again once it does not run any more', async () => {
    const registry = await aRegistry();
    const program = await ensure(registry);
    rmSync(join(dirname(program), 'files/lib'), { recursive: true });
    chmodSync(join(dirname(program), 'files/chromium'), 0o644);
    expect(versionOf(await ensure(registry))).toContain(SAYS);
  });

  it('is refused if it is not the one that was chosen', async () => {
    const registry = await aRegistry();
    const sha512 = registry.release.sha512.replace(/\w/, (first) => (first === 'A' ? 'B' : 'A'));
    const tampered = ensure({ ...registry, release: { version: VERSION, sha512 } });
    await expect(tampered).rejects.toThrow('is not what it was');
    const kept = join(folder.path, "a 'cache'", 'loyalty-chromium', VERSION);
    expect(readdirSync(kept)).toEqual([]);
  });

  it('cannot be had without a registry', async () => {
    const { release } = await aRegistry();
    const nowhere = ensure({ url: 'http://127.0.0.1:1', release });
    await expect(nowhere).rejects.toThrow(
      'npm cannot fetch @sparticuz/chromium@1.2.3: ECONNREFUSED',
    );
  });
});

const isFor = process.platform === 'linux' && process.arch === 'x64';
const real = isFor
  ? await ensurePackagedChromium((line) => process.stderr.write(`${line}\n`)).catch(String)
  : '';

describe.runIf(isFor)('the browser of the package', () => {
  const inIt = existsSync(real) ? {} : needsWhatIsMissing(`its package. ${real}`);

  it('shows a page, with letters', inIt, async () => {
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const browser = await chromium.launch({ executablePath: real, args });
    addStop(() => browser.close());
    const page = await browser.newPage();
    await page.setContent('<span id="wide">WWWW</span> <span id="narrow">iiii</span>');
    const width = async (id: string) => (await page.locator(id).boundingBox())?.width ?? 0;
    expect(await width('#narrow')).toBeGreaterThan(0);
    expect(await width('#wide')).toBeGreaterThan(2 * (await width('#narrow')));
  });
});
