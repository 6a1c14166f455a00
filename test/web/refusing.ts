import type { Page } from 'playwright-core';
import type { TestShop } from './shop.ts';

const CORS = { 'access-control-allow-origin': '*' };

/** Has the service refuse tokens, as when they have run out; returns what is asked for instead. */
export async function refusing(
  shop: TestShop,
  page: Page,
  which: 'the first token' | 'every token',
): Promise<string[]> {
  const grants: string[] = [];
  await page.route(`${shop.issuer}/token`, (route) => {
    const grant = new URLSearchParams(route.request().postData() ?? '').get('grant_type') ?? '';
    grants.push(grant);
    const isOver = which === 'every token' && grant === 'refresh_token';
    if (!isOver) return route.fallback();
    return route.fulfill({ status: 400, headers: CORS, json: { error: 'invalid_grant' } });
  });
  let first: string | undefined;
  await page.route(`${shop.app.url}/**`, (route) => {
    const token = route.request().headers().authorization;
    first ??= token;
    if (which === 'the first token' && token !== first) return route.fallback();
    const message = 'The token has run out.';
    const issues = [{ path: '', code: 'token_expired', message }];
    const json = { code: 'UNAUTHORIZED', message, requestId: 'r', issues };
    return route.fulfill({ status: 401, headers: CORS, json });
  });
  return grants;
}
