import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Go fetches it as a module, compares it with its checksum database, and keeps it. */
const KUBERNETES = 'k8s.io/kubernetes@v1.34.2';

const Kinds = z.array(z.object({ group: z.string(), version: z.string(), kind: z.string() }));
const Definition = z.looseObject({
  properties: z.looseObject({}).optional(),
  'x-kubernetes-group-version-kind': Kinds.default([]),
});
const Swagger = z.object({ definitions: z.record(z.string(), Definition) });

/**
 * Writes a JSON schema of each kind of Kubernetes into the folder, made of its own description of
 * its API, and strict: a field that does not exist is an error. Returns where kubeconform finds
 * them.
 */
export function writeSchemas(folder: string): string {
  const download = execFileSync('go', ['mod', 'download', '-json', KUBERNETES], { cwd: folder });
  const { Dir } = z.object({ Dir: z.string() }).parse(JSON.parse(download.toString()));
  const text = readFileSync(join(Dir, 'api/openapi-spec/swagger.json'), 'utf8');
  const { definitions } = Swagger.parse(JSON.parse(text, withNumbers));
  const write = (name: string, schema: object) =>
    writeFileSync(join(folder, name), JSON.stringify(schema));
  for (const [name, definition] of Object.entries(definitions)) {
    if (definition.properties !== undefined) definition.additionalProperties = false;
    for (const { group, version, kind } of definition['x-kubernetes-group-version-kind']) {
      const file = [kind, ...group.split('.').slice(0, 1), version].filter(Boolean).join('-');
      write(`${file.toLowerCase()}.json`, { $ref: `definitions.json#/definitions/${name}` });
    }
  }
  write('definitions.json', { definitions });
  return join(folder, '{{.ResourceKind}}{{.KindSuffix}}.json');
}

/** What may be a number is described as a text of this format. */
function withNumbers(_: string, value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null;
  const isEither = isObject && 'format' in value && value.format === 'int-or-string';
  return isEither ? { type: ['integer', 'string'] } : value;
}
