import { createDocument, type oas31, type ZodOpenApiPathsObject } from 'zod-openapi';
import { pathOf, type Route } from '../http/route.ts';
import { INTRODUCTIONS } from './introductions.ts';
import { errorExamples } from './issue-examples.ts';
import { operationOf } from './operation.ts';
import { plainSchema } from './plain-schema.ts';
import { createRefusals } from './refusals.ts';
import { headerComponents } from './response-headers.ts';
import { securitySchemes, USUAL_SECURITY } from './security.ts';
import { describeOnce, removeUnused, shareParameters } from './shared-parts.ts';
import { type Audience, audienceOf, TAG_DESCRIPTIONS, tagOf } from './tags.ts';
import { tidySchemas } from './tidy-schemas.ts';
import { describeWebhooks } from './webhooks.ts';

/** The routes of the service by name. The name of a route is the id of its operation. */
export type NamedRoutes = Readonly<Record<string, Route>>;

/**
 * Builds the OpenAPI 3.1 document of the routes that an audience uses, from the schemas that
 * validate requests and answers.
 */
export function describeApi(
  named: NamedRoutes,
  { version, audience = 'apps' }: { version: string; audience?: Audience },
): oas31.OpenAPIObject {
  const described = Object.entries(named).filter(([, route]) => audienceOf(route) === audience);
  const sendsWebhooks = described.some(([, route]) => tagOf(route) === 'Webhooks');
  const refusalsOf = createRefusals();
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, route] of described) {
    const path = pathOf(route).replace(/:(\w+)/g, '{$1}');
    const operation = operationOf(name, route, refusalsOf);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation };
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        ...INTRODUCTIONS[audience],
        version,
        contact: { name: 'Those who run this service' },
        license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      },
      servers: [{ url: '/', description: 'The service that serves this document.' }],
      ...(audience === 'apps' && { security: USUAL_SECURITY }),
      tags: tagsOf(described.map(([, route]) => route)),
      paths,
      ...(sendsWebhooks && { webhooks: describeWebhooks() }),
      components: { securitySchemes, headers: headerComponents, examples: errorExamples() },
    },
    { override: plainSchema },
  );
  tidySchemas(document);
  describeOnce(document);
  shareParameters(document);
  removeUnused(document);
  return document;
}

function tagsOf(routes: readonly Route[]): oas31.TagObject[] {
  return [...new Set(routes.map(tagOf))].sort().map((name) => {
    const description = TAG_DESCRIPTIONS[name];
    return { name, ...(description !== undefined && { description }) };
  });
}
