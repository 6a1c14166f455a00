import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { Span } from '../../domain/intervals.ts';
import type { NormalizedPayment } from '../../domain/payment.ts';
import type { PollIntervals } from '../../domain/poll-cadence.ts';
import type { ListedBy } from '../../domain/polling.ts';
import type { ProviderSettingNames } from '../../domain/safe-settings.ts';
import type { Account } from './shared/account.ts';
import type { ProviderOAuth } from './shared/oauth.ts';
import type { CallObserver } from './shared/request.ts';
import type { CallShares } from './shared/shared-limits.ts';

/**
 * A provider of point-of-sale systems, as all of the service knows it. A folder implements it, and
 * index.ts lists it.
 */
export type PosProvider<
  Settings extends z.ZodObject = z.ZodObject,
  WebhookSettings extends z.ZodObject = z.ZodObject,
> = {
  /** Its name in names of operations, such as `connectAlpha`. */
  label: string;
  /** What API and worker read of the environment. */
  settings: Settings;
  settingNames: ProviderSettingNames & {
    /** These two are secret. */
    appSecret: string;
    webhookKey: string;
  };
  oauth: {
    /**
     * What says whose account was connected. Anyone can put a merchant's id into a callback's
     * address, so that what it says is compared with what the token opens.
     */
    identifies: 'token' | 'callback';
    /** Of the page on which merchants agree, at the provider's origin. */
    authorizationPath: string;
    doTokensExpire: boolean;
  };
  webhook: {
    /** What only the API reads of the environment. */
    settings: WebhookSettings;
    /** The header that proves who sent a webhook. */
    security: { header: string; description: string };
    description: string;
    /**
     * Whether the provider may send an event once only. Such an event is never refused for its
     * number: past the limit it is stored all the same, and ingested later.
     */
    isSentOnce?: true;
    /** Judges who sends a request, before its body is read; by default the body decides. */
    sender?(
      headers: IncomingHttpHeaders,
      settings: z.output<Settings> & z.output<WebhookSettings>,
    ): Sender;
    /** The answer to a request that only verifies the address, if the provider sends such. */
    handshake?: z.ZodObject;
    /** Whether the provider sent a request. The content is not read before. */
    verify(
      request: WebhookRequest,
      settings: z.output<Settings> & z.output<WebhookSettings>,
    ): Verdict;
    /** Reads what an authentic request is about. Throws InvalidPayload. */
    readDelivery(
      request: WebhookRequest,
      settings: z.output<Settings> & z.output<WebhookSettings>,
    ): Delivery;
  };
  /** Reads what a stored event says by itself. Throws InvalidPayload. */
  readEvent(body: Buffer): EventReading;
  /**
   * The event that has a payment fetched that no webhook told; `fetchReports` reads it. For
   * providers whose payments are listed, by time of change or of creation.
   */
  paymentEvent?: { type: string; body(of: { merchantId: string; paymentId: string }): Buffer };
  /** For providers whose payments are listed as well, besides what their webhooks say. */
  polling?: {
    /** The error codes of a cursor that is too old, and of an order that is not known. */
    errors: { staleCursor: string; unknownOrder: string };
  };
  /** The error codes of a token that no refresh renews. */
  lastingRefusals?: readonly string[];
  /** What a merchant may have to do besides connecting again. */
  reconnectHint?: string;
  /** Whether merchants' apps may ask how the provider is set up. */
  isSetupShown?: true;
  /** Opens the API at the origin of its environment, or at the one given for a simulator. */
  open(settings: z.output<Settings>, context: OpenContext): ProviderClient;
};

/** A provider whose payments are listed as well. */
export type PolledPosProvider<
  Settings extends z.ZodObject = z.ZodObject,
  WebhookSettings extends z.ZodObject = z.ZodObject,
> = PosProvider<Settings, WebhookSettings> & Required<Pick<PosProvider, 'polling'>>;

/** What a provider's client needs besides the provider's settings. */
export type OpenContext = {
  /** The origin of the addresses that providers redirect merchants to. */
  apiBaseUrl: string;
  /** Shares what a provider allows with other processes; without it, this one is the only one. */
  shares?: CallShares | undefined;
  onCall?: CallObserver | undefined;
};

/** A provider's API. Calls throw ProviderError, or InvalidPayload for an unexpected response. */
export type ProviderClient = {
  readonly oauth: ProviderOAuth;
  /** The account that a token opens; null if it does not open that merchant's. */
  findAccount(
    accessToken: string,
    merchantId: string,
    signal?: AbortSignal,
  ): Promise<Account | null>;
  /** Makes a call that any good token may make, to find out whether the provider answers. */
  probe(accessToken: string, merchantId: string, signal?: AbortSignal): Promise<unknown>;
  /** Fetches what an event does not say by itself. What cannot be fetched is a failure. */
  fetchReports(asking: Asking, body: Buffer): Promise<EventAnswer>;
  /** A customer's contacts, or null when there are none to be read; for payments without any. */
  findContacts?(
    accessToken: string,
    customerId: string,
    signal?: AbortSignal,
  ): Promise<Contacts | null>;
  /** For providers whose days can be compared. */
  created?: CreatedPayments;
  polling?: Polling;
};

/** An account's payments as the provider has them, without asking who bought. */
export type CreatedPayments = {
  /**
   * Lists those of all locations that were created in a span, page by page. One may be listed
   * twice when others are created meanwhile.
   */
  list(calls: Calls, span: Span): AsyncIterable<ListedPayment[]>;
  /** The payment, or null when the account has none with that id. */
  find(calls: Calls, paymentId: string): Promise<NormalizedPayment | null>;
};

/** How an account's payments are listed. */
export type Polling = {
  readonly intervals: PollIntervals;
  /** The account's locations, closed ones included. */
  listLocations(accessToken: string, signal?: AbortSignal): Promise<Location[]>;
  /** A page of a location's payments, earliest first. */
  listPayments(
    accessToken: string,
    listing: PaymentListing,
    signal?: AbortSignal,
  ): Promise<PaymentPage>;
};

/** A location of an account, and its country (ISO 3166 alpha-2) where the provider tells it. */
export type Location = { id: string; country: string | null };

/** A request that may be a webhook. */
export type WebhookRequest = {
  /** With names in lower case. */
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The address that is registered with the provider, which is never that of the request. */
  notificationUrl: string;
};

/**
 * Who sends a request, by its headers: the provider; somebody of whom its body has to say more; or
 * somebody who is refused if the body is longer than what anybody may send.
 */
export type Sender = 'known' | 'stranger' | { atMost: number; refused: Refused };

/** Whether a provider sent a request. */
export type Verdict =
  | { kind: 'authentic' }
  /** The provider verifies the address. The sender is not authenticated. */
  | { kind: 'handshake'; answer: Readonly<Record<string, string>>; note: Note }
  | Refused;

/** What an authentic request is about. */
export type Delivery = { kind: 'event'; merchantId: string; type: string } | Refused;

/** Why a request is not taken: in words for its sender, and for those who run the service. */
export type Refused = {
  kind: 'refused';
  code: 'UNAUTHORIZED' | 'VALIDATION_ERROR';
  message: string;
  note: Note;
};

/** A line of the log, for those who run the service. */
export type Note = {
  level: 'info' | 'warn' | 'error';
  text: string;
  fields: Readonly<Record<string, unknown>> & { event: string };
};

/** What a stored event says by itself. */
export type EventReading =
  | { kind: 'payments'; payments: readonly NormalizedPayment[] }
  /** It names payments that have to be fetched from the provider. */
  | { kind: 'ask' }
  /** It names more than one attempt fetches: each of these bodies is to be an event of its own. */
  | { kind: 'split'; bodies: readonly Buffer[] }
  /**
   * The merchant revoked our access to its account. Where the provider signs no events, it has to
   * be asked whether that is so.
   */
  | { kind: 'revoked'; merchantId: string; revokedAt: Date; isSigned: boolean }
  | { kind: 'ignored'; reason: string };

/** How calls about the account of one connection are made. */
export type Calls = {
  merchantId: string;
  signal?: AbortSignal | undefined;
  /** Makes calls with an access token; makes them again if the token had to be refreshed. */
  ask<T>(calls: (accessToken: string) => Promise<T>): Promise<T>;
};

/** How reports about the payments of one connection are fetched. */
export type Asking = Calls & {
  /** Whether a payment has its consumer already, so that its customer need not be fetched. */
  isDecided(providerPaymentId: string): Promise<boolean>;
};

/** What a provider says of an event's payments, with the errors of those that it does not tell. */
export type EventAnswer = { payments: NormalizedPayment[]; failures: unknown[] };

/** Contacts as the provider sent them, not normalised. */
export type Contacts = { email: string | null; phone: string | null };

/** A listing and the page to read. A cursor is valid only for the listing that returned it. */
export type PaymentListing = {
  locationId: string;
  /** Lists payments from this time on, inclusive. */
  from: Date;
  /** Where the listing ends; without it, it goes on to now. Given, it lists by creation. */
  to?: Date;
  listedBy: ListedBy;
  cursor: string | null;
};

export type PaymentPage = {
  /** In the order of the listing. */
  payments: ListedPayment[];
  /** The cursor of the next page; null after the last page. */
  cursor: string | null;
};

export type ListedPayment = ReadablePayment | UnreadablePayment;
export type ReadablePayment = { at: Date; payment: NormalizedPayment };
/** An item of a listing that is not a valid payment, with its id and time where readable. */
export type UnreadablePayment = { at: Date | null; id: string | null; error: string };
