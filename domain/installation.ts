/** What a database is for: only what is for trying is named so in NODE_ENV. */
export const INSTALLATIONS = ['production', 'sandbox', 'test'] as const;
export type Installation = (typeof INSTALLATIONS)[number];

/** Returns what the processes of an environment are for. */
export function installationOf(environment: string): Installation {
  return INSTALLATIONS.find((each) => each === environment) ?? 'production';
}

/** Where a database is, and what it has to be for. */
export type DatabasePlace = {
  url: string;
  /** The file that the address was read from, to be read again when the login is refused. */
  urlFile?: string | undefined;
  installation?: Installation | undefined;
  /** Whether what shops have published as their programmes is applied; by default it is. */
  hasProgrammes?: boolean | undefined;
};
