import type { Chaos } from '../shared/chaos.ts';
import type { Consent } from '../shared/consent.ts';
import type { JournalEntry } from '../shared/journal.ts';
import type { RestFault } from '../shared/rest-faults.ts';
import type { NewCustomer, NewMerchant, TokenOptions } from './accounts.ts';
import type { Batching } from './batching.ts';
import type { Violation } from './limits.ts';
import type { Customer, Merchant, Order, Payment, Refund, Token } from './model.ts';
import type { TokenAnswers } from './oauth.ts';
import type { Sale } from './payment-lifecycle.ts';
import type { Verification } from './verification.ts';

/** A running simulator: what tests, its page and its JSON controls can make it do. */
export type BetaSimulator = {
  /** The origin of both roles: pages and API. */
  readonly url: string;
  readonly port: number;
  addMerchant(merchant: NewMerchant): Merchant;
  addCustomer(customer: NewCustomer): Customer;
  /** Installs the app without OAuth; from then on the merchant's updates are sent. */
  issueToken(merchantId: string, options?: TokenOptions): Token;
  /** Uninstalls the app and revokes its tokens. */
  uninstall(merchantId: string): void;
  ring(sale: Sale): Payment;
  settle(paymentId: string, result: 'SUCCESS' | 'FAIL'): Payment;
  setTip(paymentId: string, tip: number): Payment;
  attachCustomer(orderId: string, customerId: string): Order;
  /** Refunds all that is left when no amount is given. */
  refund(paymentId: string, amount?: number): Refund;
  /** Lets a refund fail after all, so that the payment is without it. */
  failRefund(paymentId: string, refundId: string): Payment;
  voidPayment(paymentId: string, reason?: string): Payment;
  /** Sets how the authorization page responds, for this merchant or the first one. */
  setConsent(mode: Consent['mode'], merchantId?: string): void;
  /** Sets the merchant id in callbacks: none when null, the true one when undefined. */
  claimMerchant(merchantId: string | null | undefined): void;
  setTokenAnswers(answers: TokenAnswers): void;
  /** Returns a code as after consent. */
  newCode(merchantId: string): string;
  /** Returns the URL from the provider's market, without a state and by default without a code. */
  marketLaunchUrl(merchantId: string, withCode?: boolean): string;
  /** Posts the URL verification. */
  sendVerification(): Promise<Verification>;
  setBatching(batching: Batching | undefined): void;
  setChaos(chaos: Chaos): void;
  redeliver(messageId: string): void;
  /** Loses the next message for good: nothing tells of what it is about. */
  loseNext(): void;
  /** Schedules a fault of the REST API. */
  fail(fault: RestFault): void;
  /** Returns the requests that exceeded a limit. */
  violations(): Violation[];
  /** Returns the number of running REST requests. */
  running(): number;
  journal(): JournalEntry[];
  /** Resolves when no message is queued, delayed or in progress. */
  idle(): Promise<void>;
  stop(): Promise<void>;
};
