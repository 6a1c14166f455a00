import type { Needle } from '../security/leak-scan.ts';
import { tokenNeedles } from '../security/needles.ts';

/** What was said in confidence, to be looked for in all that was written down. */
export type Secrets = {
  /** Remembers an access token. */
  addToken(jwt: string): void;
  /** Remembers a contact of a person. */
  addContact(person: string, kind: 'e-mail' | 'phone' | 'name', value: string): void;
  /** Remembers a redemption code, which may be mailed to its person. */
  addCode(person: string, code: string): void;
  /** Remembers the tokens, OAuth codes and states in what passes between service and provider. */
  hear(text: string): void;
  needles(): Needle[];
  /** What a mail to this address may hold. */
  allowedTo(address: string): string[];
  /** Forgets all, once it was looked for. */
  forget(): void;
};

const PROVIDER_TOKEN = /\b(?:alpha|beta)-(?:access|refresh)-[\w-]{20,}/g;
const CODE = /(?:[?&]code=|"code":\s*")([\w-]{16,})/g;
const STATE = /[?&]state=([\w.-]{16,})/g;

/** Starts to remember. */
export function createSecrets(): Secrets {
  const needles = new Map<string, Needle>();
  const owners = new Map<string, string>();
  const codes = new Map<string, string[]>();
  const add = (kind: string, value: string) => needles.set(value, { kind, value });
  return {
    addToken(jwt) {
      for (const { kind, value } of tokenNeedles('access token', jwt)) add(kind, value);
    },
    addContact(person, kind, value) {
      add(kind, value);
      owners.set(value, person);
    },
    addCode(person, code) {
      add('redemption code', code);
      codes.set(person, [...(codes.get(person) ?? []), code]);
    },
    hear(text) {
      for (const [token] of text.matchAll(PROVIDER_TOKEN)) add("a provider's token", token);
      for (const [, code = ''] of text.matchAll(CODE)) add('OAuth code', code);
      for (const [, state = ''] of text.matchAll(STATE)) add('OAuth state', state);
    },
    needles: () => [...needles.values()],
    allowedTo: (address) => [address, ...(codes.get(owners.get(address) ?? '') ?? [])],
    forget() {
      for (const each of [needles, owners, codes]) each.clear();
    },
  };
}
