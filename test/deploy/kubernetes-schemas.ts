import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

/** Go fetches them as modules, compares them with its checksum database, and keeps them. */
const KUBERNETES = 'k8s.io/kubernetes@v1.34.2';
/** What is no part of Kubernetes, and where in each module its kinds are described. */
const EXTENSIONS = {
  'sigs.k8s.io/gateway-api@v1.4.0': 'config/crd/standard',
  'github.com/prometheus-operator/prometheus-operator@v0.85.0': 'example/prometheus-operator-crd',
  'github.com/kedacore/keda/v2@v2.18.1': 'config/crd/bases',
};

const Kinds = z.array(z.object({ group: z.string(), version: z.string(), kind: z.string() }));
const Definition = z.looseObject({
  properties: z.looseObject({}).optional(),
  'x-kubernetes-group-version-kind': Kinds.default([]),
});
const Swagger = z.object({ definitions: z.record(z.string(), Definition) });

const Extension = z.object({
  spec: z.object({
    group: z.string(),
    names: z.object({ kind: z.string() }),
    versions: z.array(
      z.object({ name: z.string(), schema: z.object({ openAPIV3Schema: z.unknown() }) }),
    ),
  }),
});

/**
 * Writes a JSON schema of each kind of Kubernetes and its extensions into the folder, made of their
 * own descriptions, and strict: a field that does not exist is an error. Returns where kubeconform
 * finds them.
 */
export function writeSchemas(folder: string): string {
  const text = readFileSync(join(fetchModule(KUBERNETES), 'api/openapi-spec/swagger.json'), 'utf8');
  const { definitions } = Swagger.parse(JSON.parse(text, withNumbers));
  const write = (name: string, schema: unknown) =>
    writeFileSync(join(folder, name), JSON.stringify(schema));
  const fileOf = (kind: string, group: string, version: string) => {
    const file = [kind, ...group.split('.').slice(0, 1), version].filter(Boolean).join('-');
    return `${file.toLowerCase()}.json`;
  };
  for (const [name, definition] of Object.entries(definitions)) {
    if (definition.properties !== undefined) definition.additionalProperties = false;
    for (const { group, version, kind } of definition['x-kubernetes-group-version-kind']) {
      write(fileOf(kind, group, version), { $ref: `definitions.json#/definitions/${name}` });
    }
  }
  write('definitions.json', { definitions });
  for (const { group, names, versions } of extensions()) {
    for (const { name, schema } of versions) {
      write(fileOf(names.kind, group, name), strict(schema.openAPIV3Schema));
    }
  }
  return join(folder, '{{.ResourceKind}}{{.KindSuffix}}.json');
}

/** What may be a number is described as a text of this format. */
function withNumbers(_: string, value: unknown): unknown {
  const isObject = typeof value === 'object' && value !== null;
  const isEither = isObject && 'format' in value && value.format === 'int-or-string';
  return isEither ? { type: ['integer', 'string'] } : value;
}

/** The kinds that extensions of Kubernetes describe. */
function extensions() {
  return Object.entries(EXTENSIONS).flatMap(([module, path]) => {
    const folder = join(fetchModule(module), path);
    const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
    return files.flatMap((name) => {
      const read = Extension.safeParse(parse(readFileSync(join(folder, name), 'utf8')));
      return read.success ? [read.data.spec] : [];
    });
  });
}

/** Returns where Go keeps a module. */
function fetchModule(module: string): string {
  const output = execFileSync('go', ['mod', 'download', '-json', module], { cwd: tmpdir() });
  return z.object({ Dir: z.string() }).parse(JSON.parse(output.toString())).Dir;
}

/** A schema in which a field that is not described is an error, but where any is allowed. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, strict(value)]),
  );
  const isOpen = 'x-kubernetes-preserve-unknown-fields' in schema;
  return 'properties' in schema && !isOpen ? { additionalProperties: false, ...inner } : inner;
}
