import type { Db } from '../../../db/connection.ts';
import type { PosConnection } from '../../../db/connections/pos-connections.ts';
import * as posConnections from '../../../db/connections/pos-connections.ts';
import * as webhookEvents from '../../../db/events/webhook-events.ts';
import type { EventId } from '../../../domain/ids.ts';
import type { EventAnswer } from '../../../gateways/providers/provider.ts';
import { ProviderError } from '../../../gateways/providers/shared/error.ts';
import { inParallel } from '../../concurrency.ts';
import {
  type Answering,
  isLimited,
  isSilent,
  mayAsk,
  probe,
  recordAway,
} from '../../connections/availability.ts';
import { type AccessTokenDeps, ReconnectNeeded } from '../../connections/token-refresh.ts';
import { safeErrorText } from '../../safe-error-text.ts';
import { decidedIn, ProviderReader } from './provider-reader.ts';
import type { Resolved } from './read-events.ts';
import { REQUESTS_PER_CONNECTION } from './resolve-customers.ts';

/** An event that waits for its connection, and in how long that may be asked again. */
type Postponed = webhookEvents.EventFailure & { waitMs: number };

export type FetchedReports = {
  /** Events that the provider does not answer about: their own fault. */
  failures: webhookEvents.EventFailure[];
  /** Events whose payment the provider does not know yet, and may know in a moment. */
  early: webhookEvents.EventFailure[];
  /** Events that the provider had an error about for the first time, although it answers. */
  doubtful: webhookEvents.EventFailure[];
  /** Events whose provider is away, or whose merchant must reconnect: nobody's fault. */
  away: Postponed[];
  /** Events that there was no time to ask about, or no answer that decides anything. */
  left: EventId[];
};

export type Fetching = {
  /** No provider is asked any more once it aborts. */
  signal: AbortSignal;
  /** Receives what was answered about an event. One with a missing part is in a list as well. */
  onResolved: (id: EventId, resolved: Resolved) => void;
};

/**
 * Asks providers what these events do not carry themselves, a few requests at a time per
 * connection, and none of a connection whose provider is away. Writes nothing but when connections
 * may be asked again. What a provider refuses is a result, never thrown.
 */
export async function fetchReports(
  deps: AccessTokenDeps,
  ids: readonly EventId[],
  fetching: Fetching,
): Promise<FetchedReports> {
  const fetched: FetchedReports = {
    failures: [],
    early: [],
    doubtful: [],
    away: [],
    left: [],
  };
  const events = await webhookEvents.read(deps.db, ids);
  const connections = await connectionsOf(deps.db, events);
  const isDecided = decidedIn(deps.db);
  const round: Round = {
    ...fetching,
    fetched,
    // What cannot be looked up is asked for: that is no fault of the event.
    isDecided: (key) => isDecided(key).catch(() => false),
  };
  const byConnection = new Map<string, webhookEvents.OpenEvent[]>();
  for (const event of events) {
    const key = connectionKey(event);
    byConnection.set(key, [...(byConnection.get(key) ?? []), event]);
  }
  await Promise.all(
    [...byConnection].map(([key, itsEvents]) => {
      const connection = connections.get(key);
      if (connection !== undefined) {
        return new ConnectionFetch(deps, connection, round).fetch(itsEvents);
      }
      const waitMs = Number.POSITIVE_INFINITY;
      fetched.away.push(...itsEvents.map(({ id }) => ({ id, error: NOT_CONNECTED, waitMs })));
      return undefined;
    }),
  );
  return fetched;
}

const NOT_CONNECTED =
  'The tenant has no active connection to this account: it has to connect again.';

/** Another account of the tenant knows nothing of the event, and would answer as if nobody did. */
type Owned = Pick<PosConnection, 'tenantId' | 'merchantId'> & { provider: string };
const connectionKey = ({ tenantId, provider, merchantId }: Owned) =>
  `${provider}/${tenantId}/${merchantId}`;

async function connectionsOf(db: Db, events: readonly webhookEvents.OpenEvent[]) {
  const connections = new Map<string, PosConnection>();
  for (const provider of new Set(events.map((event) => event.provider))) {
    const tenantIds = events.filter((event) => event.provider === provider).map((e) => e.tenantId);
    for (const connection of await posConnections.listActive(db, provider, tenantIds)) {
      connections.set(connectionKey({ ...connection, provider }), connection);
    }
  }
  return connections;
}

/** What the connections that are asked at the same time have in common. */
type Round = Fetching & {
  fetched: FetchedReports;
  isDecided: ReturnType<typeof decidedIn>;
};

/** Asks the provider of one connection, until it turns out to be away. */
class ConnectionFetch {
  readonly #deps: AccessTokenDeps;
  readonly #connection: PosConnection;
  readonly #round: Round;
  readonly #reader: ProviderReader;
  #answering: Answering = { answers: true };
  /** A probe under way, which all that fail meanwhile wait for. */
  #probe: Promise<Answering | undefined> | undefined;

  constructor(deps: AccessTokenDeps, connection: PosConnection, round: Round) {
    this.#deps = deps;
    this.#connection = connection;
    this.#round = round;
    this.#reader = new ProviderReader(deps, connection, round.signal, round.isDecided);
  }

  async fetch(events: readonly webhookEvents.OpenEvent[]): Promise<void> {
    try {
      this.#answering = await this.#mayAsk();
    } catch (error) {
      const { failures, left } = this.#round.fetched;
      if (this.#round.signal.aborted) left.push(...events.map(({ id }) => id));
      else failures.push(...events.map(({ id }) => ({ id, error: safeErrorText(error) })));
      return;
    }
    await inParallel(events, REQUESTS_PER_CONNECTION, (event) => this.#ask(event));
  }

  async #mayAsk(): Promise<Answering> {
    const connection = this.#connection;
    if (connection.needsReconnectSince === null) {
      if (connection.askAgainAt === null) return { answers: true };
      return mayAsk(this.#deps, connection, this.#round.signal);
    }
    return refusal(new ReconnectNeeded(connection.provider));
  }

  async #ask(event: webhookEvents.OpenEvent): Promise<void> {
    if (this.#round.signal.aborted) {
      this.#round.fetched.left.push(event.id);
      return;
    }
    if (!this.#answering.answers) return this.#postpone(event, this.#answering);
    const answer = await this.#reader.reportsOf(event);
    if (!this.#needsProbe(answer)) return this.#take(event, answer);
    const probed = await this.#probed();
    // Whether it is the event's fault is not known yet; it is asked about again in a moment.
    if (probed === undefined) return this.#take(event, { ...answer, failures: [], isLeft: true });
    return this.#take(event, answer);
  }

  /** Whether only a probe can tell if the provider is away or cannot answer about this event. */
  #needsProbe({ failures }: EventAnswer): boolean {
    if (this.#round.signal.aborted) return false;
    if (failures.some((error) => error instanceof ReconnectNeeded || isLimited(error)))
      return false;
    return failures.some(isSilent);
  }

  async #probed(): Promise<Answering | undefined> {
    // An answer that comes after the probe says nothing new.
    if (!this.#answering.answers) return this.#answering;
    this.#probe ??= probe(this.#deps, this.#connection, this.#round.signal)
      .then((probed) => {
        if (probed?.answers === false) this.#answering = probed;
        return probed;
      })
      .catch(() => undefined)
      .finally(() => {
        this.#probe = undefined;
      });
    return this.#probe;
  }

  async #take(
    event: webhookEvents.OpenEvent,
    { payments, failures, isLeft = false }: EventAnswer & { isLeft?: boolean },
  ): Promise<void> {
    const { id } = event;
    const isComplete = failures.length === 0 && !isLeft;
    if (payments.length > 0 || isComplete) {
      this.#round.onResolved(id, { payments, isComplete });
    }
    if (isComplete) return;
    if (isLeft || this.#round.signal.aborted) {
      this.#round.fetched.left.push(id);
      return;
    }
    const refused = failures.find((error) => error instanceof ReconnectNeeded);
    if (refused !== undefined) this.#answering = refusal(refused);
    const limited = failures.find(isLimited);
    if (limited !== undefined && refused === undefined) {
      this.#answering = await recordAway(this.#deps, this.#connection, limited);
    }
    if (!this.#answering.answers) return this.#postpone(event, this.#answering);
    // A part that the provider does not answer about counts before one that it does not know yet.
    const silent = failures.find(isSilent);
    const early = failures.find((error) => error instanceof ProviderError && error.isTransient);
    const failure = { id, error: safeErrorText(silent ?? early ?? failures[0]) };
    const isDoubtful = silent !== undefined && !event.isDoubtful;
    const isEarly = silent === undefined && early !== undefined;
    const { doubtful, early: isKnownSoon, failures: failed } = this.#round.fetched;
    (isDoubtful ? doubtful : isEarly ? isKnownSoon : failed).push(failure);
  }

  #postpone({ id }: webhookEvents.OpenEvent, { waitMs, error }: NotAnswering): void {
    this.#round.fetched.away.push({ id, error, waitMs });
  }
}

type NotAnswering = Extract<Answering, { answers: false }>;

function refusal(error: unknown): NotAnswering {
  return { answers: false, waitMs: Number.POSITIVE_INFINITY, error: safeErrorText(error) };
}
