import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

// Writes what the client is made of from the committed document of the API. No part of the package.

const DOCUMENT = new URL('../api/openapi/openapi.json', import.meta.url);
const HEADING = '// Generated from api/openapi/openapi.json by `npm run openapi`. Do not edit.\n\n';

type Parameter = { $ref?: string; in?: string; name?: string };
type Described = {
  operationId: string;
  summary: string;
  parameters?: Parameter[];
  responses: Record<string, { content?: Record<string, unknown> }>;
  'x-idempotency-key'?: boolean;
};
type Document = {
  paths: Record<string, Record<string, Described>>;
  components: { parameters: Record<string, Parameter> };
};

/** The texts of the generated files by path, as they have to be for the committed document. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const document = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
  const types = await openapiTS(JSON.stringify(withoutExamples(document)), { alphabetize: false });
  return new Map([
    [pathOf('schema.ts'), `${HEADING}${astToString(types)}`],
    [pathOf('operations.ts'), `${HEADING}${operationsText(document)}`],
  ]);
}

const pathOf = (name: string) => fileURLToPath(new URL(`generated/${name}`, import.meta.url));

/**
 * Examples are half of the document, and become comments that nobody reads there. A property may
 * have that name, too.
 */
function withoutExamples(value: unknown, isProperties = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutExamples(item));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key]) => isProperties || (key !== 'example' && key !== 'examples'),
  );
  return Object.fromEntries(
    kept.map(([key, child]) => [
      key,
      withoutExamples(child, key === 'properties' && !isProperties),
    ]),
  );
}

function operationsText({ paths, components }: Document): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      path,
      method,
      described,
      ...traitsOf(described, components.parameters),
    })),
  );
  const called = operations.filter(({ isStream }) => !isStream);
  const rows = operations.map((row) => {
    const traits = (['isKeyed', 'isList', 'hasShop', 'isStream'] as const).filter((t) => row[t]);
    const fields = [`method: '${row.method}'`, `path: '${row.path}'`];
    const all = [...fields, ...traits.map((trait) => `${trait}: true`)].join(', ');
    return `  ${row.described.operationId}: { ${all} },`;
  });
  const members = (kind: string, list: typeof operations) =>
    list.map(({ path, method, described: { summary, operationId } }) => {
      const comment = `/** ${summary}: \`${method.toUpperCase()} ${path}\`. */`;
      return `  ${comment}\n  ${operationId}: ${kind}<'${operationId}'>;`;
    });
  return `import type { Listing, Method, Operation } from '../operation.ts';
import type { operations } from './schema.ts';

/** How each operation is called. */
export const OPERATIONS = {
${rows.join('\n')}
} as const satisfies Partial<Record<keyof operations, Operation>>;

/** A method for each operation. It returns what the service answers, or throws. */
export interface Operations {
${members('Method', called).join('\n')}
}

/** The lists, with all of their pages. */
export interface Lists {
${members(
  'Listing',
  called.filter(({ isList }) => isList),
).join('\n')}
}
`;
}

function traitsOf(described: Described, known: Record<string, Parameter>) {
  const names = (described.parameters ?? []).map((parameter) => {
    const { $ref } = parameter;
    return ($ref === undefined ? parameter : known[$ref.split('/').at(-1) ?? ''])?.name;
  });
  return {
    isKeyed: described['x-idempotency-key'] === true,
    isList: names.includes('cursor'),
    hasShop: names.includes('X-Tenant-Id'),
    isStream: described.responses['200']?.content?.['text/event-stream'] !== undefined,
  };
}
