import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { mailAddress } from '../../domain/mail-address.ts';
import { writeAtomically } from '../write-atomically.ts';
import { isPersonName, PERSON_NAMES, type People, type Person } from './people.ts';

const MAX_ADDED = 1_000;

const AddedPerson = z.object({
  sub: z.string().min(1),
  name: z.string().min(1),
  email: z.string().min(1),
  email_verified: z.boolean(),
  app_metadata: z.object({ role: z.literal('client') }).exactOptional(),
});

/** The form that adds a person: a browser leaves out a box that is not ticked. */
export const Newcomer = z.object({
  name: z.string().trim().min(1, 'A person needs a name.').max(100),
  email: z.string().transform((text, context) => {
    const address = mailAddress(text);
    if (address !== null) return address;
    context.addIssue('A person needs one e-mail address, such as lin@example.com.');
    return z.NEVER;
  }),
  isVerified: z.literal('on').optional(),
  wantsShop: z.literal('on').optional(),
});

/** A person with the text by which the sign-in page and `npm run token` name them. */
export type Listed = { key: string; person: Person };

/** Everybody who can sign in: the four people of every sandbox, and those who were added. */
export type Directory = {
  list(): Listed[];
  bySub(sub: string | undefined): Person | undefined;
  /** Finds a person by key, e-mail address, name or first name; the first one of several. */
  named(text: string): Person | undefined;
  /** Adds a person for good. Throws a RangeError that says why when that is not possible. */
  add(newcomer: z.output<typeof Newcomer>): Person;
};

/** Opens the directory; people are kept in the file across restarts, or in memory without one. */
export function openDirectory(people: People, file?: string): Directory {
  const added: z.output<typeof AddedPerson>[] = file === undefined ? [] : readAdded(file);
  const list = (): Listed[] => [
    ...PERSON_NAMES.map((key) => ({ key, person: people[key] })),
    ...added.map((person) => ({ key: person.email, person })),
  ];
  const find = (matches: (person: Person) => boolean) =>
    list().find(({ person }) => matches(person))?.person;
  const byEmail = (email: string) => find((person) => person.email === email);

  return {
    list,
    bySub: (sub) => find((person) => person.sub === sub),
    named(text) {
      if (isPersonName(text)) return people[text];
      const wanted = text.trim().toLowerCase();
      if (wanted === '') return undefined;
      const namesOf = (name: string) => [name, name.replace(/\s.*/s, '')];
      const isCalled = ({ name }: Person) => namesOf(name.toLowerCase()).includes(wanted);
      return byEmail(wanted) ?? find(isCalled);
    },
    add({ name, email, isVerified, wantsShop }) {
      if (byEmail(email) !== undefined) throw new RangeError(`${email} can sign in already.`);
      if (added.length >= MAX_ADDED) {
        throw new RangeError(`${MAX_ADDED} people were added, and more are not kept.`);
      }
      const person = {
        sub: `sandbox-${randomUUID()}`,
        name,
        email,
        email_verified: isVerified === 'on',
        ...(wantsShop === 'on' && { app_metadata: { role: 'client' as const } }),
      };
      if (file !== undefined) writeAtomically(file, JSON.stringify([...added, person], null, 2));
      added.push(person);
      return person;
    },
  };
}

function readAdded(file: string): z.output<typeof AddedPerson>[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  try {
    return z.array(AddedPerson).parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${file} is damaged. Delete it: those who were added are lost.`, {
      cause: error,
    });
  }
}
