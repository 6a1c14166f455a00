import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { startScript } from '../../../api/docs/try-page.ts';

/** What the page does in a browser whose requests get this answer. */
async function shown(script: string, answer: unknown) {
  const made: unknown[] = [];
  const asked: string[] = [];
  const page = {
    URL,
    location: { href: 'https://api.shop.example/docs/try' },
    Scalar: { createApiReference: (...options: unknown[]) => made.push(options) },
    fetch: async (address: string) => {
      asked.push(address);
      if (answer === undefined) throw new TypeError('Failed to fetch');
      return { json: async () => answer };
    },
  };
  runInNewContext(script, page);
  await expect.poll(() => made.length).toBe(1);
  return { made, asked };
}

const signIn = { issuer: 'https://issuer.shop.example/realm/', clientId: 'a"client' };

describe('the start of the page that sends requests', () => {
  it('shows the document, sends nothing to others, and takes a pasted token', async () => {
    const { made, asked } = await shown(startScript(undefined), {});
    expect(asked).toEqual([]);
    expect(made).toMatchObject([
      [
        '#reference',
        {
          url: '../api/v1/openapi.json',
          telemetry: false,
          withDefaultFonts: false,
          authentication: { preferredSecurityScheme: 'bearer' },
        },
      ],
    ]);
  });

  it('offers to sign in by PKCE where the issuer says, for the configured client', async () => {
    const { made, asked } = await shown(startScript(signIn), {
      authorization_endpoint: 'https://issuer.shop.example/auth',
      token_endpoint: 'https://issuer.shop.example/token',
    });
    expect(asked).toEqual(['https://issuer.shop.example/realm/.well-known/openid-configuration']);
    const flow = {
      authorizationUrl: 'https://issuer.shop.example/auth',
      tokenUrl: 'https://issuer.shop.example/token',
      'x-usePkce': 'SHA-256',
      'x-scalar-client-id': 'a"client',
      'x-scalar-redirect-uri': 'https://api.shop.example/docs/signed-in',
    };
    expect(made).toMatchObject([
      [
        '#reference',
        { authentication: { securitySchemes: { signIn: { flows: { authorizationCode: flow } } } } },
      ],
    ]);
  });

  it('shows the document also while the issuer cannot be reached', async () => {
    const { made } = await shown(startScript(signIn), undefined);
    expect(made).toMatchObject([
      ['#reference', { authentication: { preferredSecurityScheme: 'bearer' } }],
    ]);
  });
});
