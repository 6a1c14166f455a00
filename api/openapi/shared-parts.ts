import type { oas31 } from 'zod-openapi';

type Parameter = oas31.ParameterObject | oas31.ReferenceObject;

/** Returns every operation of a document, of webhooks too. */
function operationsOf({ paths = {}, webhooks = {} }: oas31.OpenAPIObject) {
  return [...Object.values(paths), ...Object.values(webhooks)].flatMap(
    ({ get, post, put, patch, delete: remove }) =>
      [get, post, put, patch, remove].filter((operation) => operation !== undefined),
  );
}

/**
 * Makes components of the parameters that several operations describe in the same words, each under
 * its own name. If different parameters have one name, it is that of the one that is used the most.
 */
export function shareParameters(document: oas31.OpenAPIObject): void {
  const uses = new Map<string, { parameter: oas31.ParameterObject; count: number }>();
  for (const { parameters = [] } of operationsOf(document)) {
    for (const parameter of parameters.filter(isInPlace)) {
      const text = JSON.stringify(parameter);
      const count = (uses.get(text)?.count ?? 0) + 1;
      uses.set(text, { parameter, count });
    }
  }
  const shared = new Map<string, string>();
  const repeated = [...uses].filter(([, { count }]) => count > 1);
  repeated.sort(([, one], [, other]) => other.count - one.count);
  const components: Record<string, oas31.ParameterObject> = {};
  for (const [text, { parameter }] of repeated) {
    if (parameter.name in components) continue;
    components[parameter.name] = parameter;
    shared.set(text, `#/components/parameters/${parameter.name}`);
  }
  for (const operation of operationsOf(document)) {
    const { parameters = [] } = operation;
    operation.parameters = parameters.map((parameter) => {
      const $ref = shared.get(JSON.stringify(parameter));
      return $ref === undefined ? parameter : { $ref };
    });
  }
  document.components = { ...document.components, parameters: components };
}

/** Takes the descriptions of parameters out of their schemas, where they stand a second time. */
export function describeOnce(document: oas31.OpenAPIObject): void {
  for (const { parameters = [] } of operationsOf(document)) {
    for (const { schema, description } of parameters.filter(isInPlace)) {
      if (schema === undefined || '$ref' in schema) continue;
      if (schema.description === description) delete schema.description;
    }
  }
}

/** Removes the headers, examples and security schemes that nothing in the document uses. */
export function removeUnused(document: oas31.OpenAPIObject): void {
  const { components = {} } = document;
  const requirements = operationsOf(document).map(({ security = [] }) => security);
  const named = namesIn([document.security ?? [], ...requirements]);
  components.securitySchemes = only(components.securitySchemes, (name) => named.has(name));
  components.examples = only(components.examples, isUsed('examples', document));
  components.headers = only(components.headers, isUsed('headers', document));
}

function isUsed(kind: string, document: oas31.OpenAPIObject): (name: string) => boolean {
  const text = JSON.stringify(document);
  return (name) => text.includes(`"#/components/${kind}/${name}"`);
}

function namesIn(requirements: oas31.SecurityRequirementObject[][]): Set<string> {
  return new Set(requirements.flat().flatMap((requirement) => Object.keys(requirement)));
}

function only<Part>(
  parts: Record<string, Part> | undefined,
  isKept: (name: string) => boolean,
): Record<string, Part> {
  return Object.fromEntries(Object.entries(parts ?? {}).filter(([name]) => isKept(name)));
}

function isInPlace(parameter: Parameter): parameter is oas31.ParameterObject {
  return !('$ref' in parameter);
}
