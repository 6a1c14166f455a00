import { z } from 'zod';
import { pathOf, type Route } from '../../../api/http/route.ts';
import { describeApi, type NamedRoutes } from '../../../api/openapi/document.ts';

const Anything = z.record(z.string(), z.unknown());

/** Returns the documents of both audiences as clients read them: references are resolved. */
function describedDocuments(named: NamedRoutes) {
  return (['apps', 'internal'] as const).map((audience) => {
    const document = describeApi(named, { version: '1.2.3', audience });
    return Anything.parse(JSON.parse(JSON.stringify(document)));
  });
}

/** Finds the operation of a route in either document, its headers, parameters and answers whole. */
export function describedOperations(named: NamedRoutes) {
  const documents = describedDocuments(named);
  return {
    of(route: Route): Record<string, unknown> {
      const path = pathOf(route).replace(/:(\w+)/g, '{$1}');
      for (const document of documents) {
        const operation = valueAt(document, ['paths', path, route.method.toLowerCase()]);
        if (operation !== undefined) return Anything.parse(resolved(operation, document));
      }
      throw new Error(`${route.method} ${path} is in no document.`);
    },
  };
}

/** Replaces references by what they name; those to schemas stay, which may be recursive. */
function resolved(value: unknown, document: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => resolved(item, document));
  if (typeof value !== 'object' || value === null) return value;
  const $ref = '$ref' in value ? value.$ref : undefined;
  if (typeof $ref === 'string' && !$ref.startsWith('#/components/schemas/')) {
    return resolved(valueAt(document, $ref.slice(2).split('/')), document);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, resolved(child, document)]),
  );
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => Anything.catch({}).parse(found)[key], value);
}
