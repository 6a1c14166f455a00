import type { Chance } from './chance.ts';
import type { Deployment } from './deployment.ts';
import type { Faults } from './faults.ts';
import type { Model } from './model.ts';
import type { Shop } from './shop.ts';

/** A list that is read page by page while the history goes on. */
export type Walk = {
  path: string;
  /** What was in it when that began: none of it ever leaves it. */
  before: readonly string[];
  /** What the pages had, one after the other; undefined if they were refused meanwhile. */
  read: Promise<string[] | undefined>;
};

/** An app that somebody has open: it reads what it shows once, and then follows it. */
export type Page = {
  whose: string;
  /** What it shows, by ids. */
  shown: Map<string, string>;
  /** What another page would show now. */
  read(): Promise<Map<string, string>>;
  /** Why it follows no more, if not because it was closed. */
  failure?: unknown;
  ended: Promise<void>;
  close(): void;
};

/** A history while it is played. */
export type Play = {
  deployment: Deployment;
  faults: Faults;
  model: Model;
  shop: Shop;
  /** What is drawn to be looked at. */
  chance: Chance;
  /** Faults that this history caused and that may still go on. */
  caused: Promise<void>[];
  /** The list that is being read since the last checkpoint. */
  walk: Walk | undefined;
  /** The page that is open since then. */
  page: Page | undefined;
  /** Whether alpha has to be polled before everything is known. */
  needsPoll: boolean;
  /** Whether a day of beta has to be brought in before everything is known. */
  needsTruth: boolean;
  /** The attempts to deliver a webhook after which it was given up, and was sent again. */
  redelivered: Set<string>;
  /** When the last rule with a date comes into effect, in milliseconds. */
  rulesDueAt: number;
};
