import { TAGS } from './reference-page.ts';

/** The page that sends requests. Its scripts are files, since no inline script may run. */
export const TRY_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Loyalty points: try requests</title>
<link rel="icon" href="data:,">
<body>
<noscript>This page needs JavaScript; the <a href="../docs">reference</a> does not.</noscript>
<div id="reference"></div>
<script src="reference.js"></script>
<script src="start.js"></script>
</body>
</html>
`;

/** Where the identity provider returns to, in the window in which a reader of the page signs in. */
export const SIGNED_IN_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Signed in</title>
<link rel="icon" href="data:,">
<p>You are signed in. This window closes by itself.</p>
</html>
`;

/** A reader signs in with this public client, if the deployment has one. */
export type ReferenceSignIn = { issuer: string; clientId: string } | undefined;

/** Builds the script that shows the document, and offers to sign in by PKCE. */
export function startScript(signIn: ReferenceSignIn): string {
  return `const signIn = ${JSON.stringify(signIn ?? null)};
const TAGS = ${JSON.stringify(TAGS)};
${START}`;
}

/** Where no sign-in is configured, or it cannot be discovered, a token can be pasted. */
const START = `
const authentication = { preferredSecurityScheme: 'bearer' };

async function discoverSignIn() {
  if (signIn === null) return;
  const address = signIn.issuer.replace(/\\/$/, '') + '/.well-known/openid-configuration';
  const found = await (await fetch(address)).json();
  authentication.preferredSecurityScheme = 'signIn';
  authentication.securitySchemes = {
    signIn: {
      type: 'oauth2',
      description: 'Sign in at the identity provider.',
      flows: {
        authorizationCode: {
          authorizationUrl: found.authorization_endpoint,
          tokenUrl: found.token_endpoint,
          scopes: { openid: 'Sign in', email: 'Your e-mail', phone: 'Your phone' },
          selectedScopes: ['openid', 'email', 'phone'],
          'x-usePkce': 'SHA-256',
          'x-scalar-client-id': signIn.clientId,
          'x-scalar-redirect-uri': new URL('signed-in', location.href).href,
          // A public client has no secret for a header, and names itself beside the code.
          'x-scalar-credentials-location': 'body',
        },
      },
    },
  };
}

discoverSignIn()
  .catch(() => undefined)
  .then(() =>
    Scalar.createApiReference('#reference', {
      url: '../api/v1/openapi.json',
      slug: 'loyalty',
      authentication,
      withDefaultFonts: false,
      telemetry: false,
      showDeveloperTools: 'never',
      hideClientButton: true,
      agent: { disabled: true },
      mcp: { disabled: true },
      persistAuth: true,
      theme: 'default',
      tagsSorter: (one, other) => TAGS.indexOf(one.name) - TAGS.indexOf(other.name),
      metaData: { title: 'Loyalty points: try requests' },
    }),
  );
`;
