import type { ConsentControl } from '../connecting.ts';

/** A simulated provider, as the sandbox uses it; a folder implements it, and index.ts lists it. */
export type SimulatedProvider = {
  usualPort: number;
  /** Makes the secrets of a new sandbox. */
  newSecrets(): ProviderSecrets;
  start(options: SimulatorOptions): Promise<Simulator>;
  /** What the service has to be told: the names of its settings with their values. */
  environment(url: string, secrets: ProviderSecrets): Record<string, string>;
  /** The headers by which a webhook is known to be the provider's. */
  sign(webhook: { body: string; key: string; url: string }): Record<string, string>;
};

/** The service's app at a provider, and what its webhooks are signed with. */
export type ProviderSecrets = { appId: string; appSecret: string; webhookKey: string };

export type SimulatorOptions = {
  /** 0 picks a free port. */
  port: number;
  secrets: ProviderSecrets;
  /** The registered address: events are sent there. */
  webhookUrl: string;
  /** Where a merchant's browser is redirected. */
  redirectUrl: string;
  /** Keeps the world across restarts. */
  stateFile: string;
  /** Where people see what the service made of a payment. */
  outcomeUrl(paymentId: string): string;
};

/** A provider that runs in this process. */
export type Simulator = ConsentControl & {
  /** The page with its tills, on which people ring sales. */
  readonly url: string;
  /** Whether its tills sell offline, so that a sale may be of an earlier time. */
  readonly sellsOffline?: true;
  /** Opens a merchant's account with one customer. */
  addAccount(name: string, customer: SimulatedCustomer): Promise<Account>;
  openTill(merchantId: string): Promise<Till>;
  stop(): Promise<void>;
};

export type SimulatedCustomer = {
  givenName: string;
  familyName: string;
  email: string;
  phone: string;
};

/** A merchant's account, and its customer. */
export type Account = { merchantId: string; customerId: string };

/** The till of a merchant. */
export type Till = {
  /** The currency of the account. */
  currency: string;
  /** Returns the id of a person's customer there, who is added when there is none. */
  customerOf(person: { name: string; email: string }): string;
  /**
   * Rings a sale that is paid at once, or was so many minutes ago where tills sell offline, and
   * returns the id of its payment.
   */
  ring(sale: {
    amount: number;
    currency: string;
    customerId?: string;
    minutesAgo?: number;
  }): string;
};
