import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('Dockerfile', () => {
  const dockerfile = read('Dockerfile');
  const stages = dockerfile.split(/^(?=FROM )/m);
  const stageOf = (pattern: RegExp) => {
    const found = stages.filter((text) => pattern.test(text));
    expect(found).toHaveLength(1);
    return found.join();
  };
  const build = stageOf(/^FROM .* AS build$/m);
  const image = stageOf(/^FROM node:\S+$/m);

  it('ends with the image of the service, which is built unless another is asked for', () => {
    expect(stages.at(-1)).toBe(image);
  });

  it('contains every folder of the service, and no other folder', () => {
    const copied = [...build.matchAll(/^COPY (\w[\w.]*) \.\/\w*$/gm)].map(([, name]) => name);
    expect(new Set(copied)).toEqual(
      new Set([
        'config.ts',
        'wiring.ts',
        'domain',
        'db',
        'migrations',
        'gateways',
        'activities',
        'workflows',
        'api',
        'worker',
        'ops',
      ]),
    );
    const allowed = read('.dockerignore').match(/^!.+$/gm) ?? [];
    for (const name of copied) expect(allowed).toContain(`!${name}`);
  });

  it('has the library of the reference page, where the service reads it', () => {
    const [, file = ''] = /^COPY --from=packages \/app\/(\S+\.js) /m.exec(build) ?? [];
    expect(file).toBe('node_modules/@scalar/fastify-api-reference/dist/js/standalone.js');
    expect(read('api/routes/docs.ts')).toContain(`'../../${file}'`);
  });

  it('runs as a user who may not change its files, with production packages only', () => {
    expect(image).toMatch(/^USER node$/m);
    expect(build).toMatch(/^RUN npm ci --omit=dev /m);
    expect(image).toMatch(/^HEALTHCHECK /m);
    expect(dockerfile).not.toMatch(/--chown/);
  });

  it("keeps of Temporal's binaries the one that it runs", () => {
    const releases = 'node_modules/@temporalio/core-bridge/releases';
    expect(readdirSync(join(ROOT, releases))).toContain('x86_64-unknown-linux-gnu');
    expect(build).toContain(`RUN cd ${releases} && `);
    expect(build).toContain('grep -v "^$(uname -m)-unknown-linux-gnu$" | xargs rm -r');
  });

  it('keeps what was compiled of the modules, in the folder where processes look for it', () => {
    const cache = /^ENV NODE_COMPILE_CACHE=\/app\/node_modules\/\.cache\/compiled$/m;
    expect(build).toMatch(cache);
    expect(build).toMatch(/^RUN ! node api\/main\.ts && ! node worker\/main\.ts$/m);
    expect(image).toMatch(cache);
  });

  it('builds the apps from what the context holds, and serves them as nobody special', () => {
    const allowed = read('.dockerignore').match(/^!.+$/gm) ?? [];
    const copied = [...stageOf(/AS apps-build$/m).matchAll(/^COPY (\w[\w.]*) \.\/\w*$/gm)];
    expect(copied.map(([, name]) => name)).toEqual(['tsconfig.json', 'sdk', 'web']);
    for (const [, name] of copied) expect(allowed).toContain(`!${name}`);
    const apps = stageOf(/AS apps$/m);
    expect(apps).toMatch(/^USER 101:101$/m);
    const files = [...apps.matchAll(/^COPY (deploy\/\S+) /gm)].map(([, file = '']) => file);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect(files).toHaveLength(2);
  });
});
