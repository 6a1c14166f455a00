/** The reference apps, by the folder in which each has its page. */
export const APPS = ['wallet', 'till', 'portal', 'office'] as const;
export type AppName = (typeof APPS)[number];

/** Addresses beyond an app's own folder, to which the service and its mails send people. */
const ELSEWHERE: readonly (readonly [RegExp, AppName])[] = [
  [/^\/pos\/?$/, 'portal'],
  [/^\/invites(\/|$)/, 'till'],
  [/^\/join(\/|$)/, 'wallet'],
];

/** The app that shows an address, or undefined for one that is a file or nothing at all. */
export function appOf(path: string): AppName | undefined {
  const own = APPS.find((app) => path === `/${app}` || path.startsWith(`/${app}/`));
  return own ?? ELSEWHERE.find(([pattern]) => pattern.test(path))?.[1];
}

/** The headers of every answer that serves the apps, for the origins that they may call. */
export function appHeaders(called: readonly string[]): Record<string, string> {
  const others = called.join(' ');
  return {
    'content-security-policy': [
      "default-src 'none'",
      // The till reads codes with WebAssembly where the browser cannot by itself.
      "script-src 'self' 'wasm-unsafe-eval'",
      "style-src 'self'",
      `img-src 'self' blob: ${others}`.trim(),
      `connect-src 'self' ${others}`.trim(),
      "font-src 'self'",
      "manifest-src 'self'",
      "worker-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=()',
    'referrer-policy': 'no-referrer',
    // Without TLS browsers pass over it.
    'strict-transport-security': 'max-age=31536000',
    'x-content-type-options': 'nosniff',
  };
}
