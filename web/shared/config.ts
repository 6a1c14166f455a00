/** Where the service and the identity provider are, as the server of the apps says. */
export type AppConfig = {
  /** The address of the service, without a path. */
  api: string;
  issuer: string;
  clientId: string;
  scope: string;
  /** Whether each app asks for the scope of what it is for, besides those of `scope`. */
  ownScope: boolean;
  /** For identity providers that want to be told for which API a token is. */
  audience?: string;
  /** Where people ask for help: an e-mail address, or an https page. */
  support?: string;
  /** Where a shop rings test sales, by its id below it, if no point of sale is a real one. */
  testSales?: string;
};

/** Nothing can be reached: nobody has set anything up wrongly. */
export class NoConnection extends Error {}

/** Reads `/config.json`. Throws an error that says what is wrong with it, for whoever set it up. */
export async function loadConfig(): Promise<AppConfig> {
  const response = await fetch('/config.json').catch((cause: unknown) => {
    throw new NoConnection('/config.json cannot be reached.', { cause });
  });
  if (!response.ok) throw new Error(`/config.json answers ${response.status}.`);
  const config: unknown = await response.json();
  const textOf = (name: string): string => {
    const value = fieldOf(config, name);
    if (typeof value === 'string' && value !== '') return value;
    throw new Error(`/config.json has no ${name}.`);
  };
  const audience = fieldOf(config, 'audience');
  const support = fieldOf(config, 'support');
  const testSales = fieldOf(config, 'testSales');
  return {
    api: textOf('api'),
    issuer: textOf('issuer'),
    clientId: textOf('clientId'),
    scope: textOf('scope'),
    ownScope: fieldOf(config, 'ownScope') === 'true',
    ...(typeof audience === 'string' && audience !== '' && { audience }),
    ...(typeof support === 'string' && support !== '' && { support }),
    ...(typeof testSales === 'string' && { testSales }),
  };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
