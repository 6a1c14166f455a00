import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

type Entry = { payload: AdapterPayload; expiresAt: number };

/**
 * Keeps the identity provider's sessions and codes in memory, each for its lifetime.
 *
 * A restart signs everyone out; access tokens stay valid, since their signing key is in the
 * sandbox's state.
 */
export function createIdentityStore(): AdapterFactory {
  const stores = new Map<string, Map<string, Entry>>();
  return (model) => {
    const entries = stores.get(model) ?? new Map<string, Entry>();
    stores.set(model, entries);
    return adapterOver(entries, () => [...stores.values()]);
  };
}

function adapterOver(entries: Map<string, Entry>, all: () => Map<string, Entry>[]): Adapter {
  return {
    async upsert(id, payload, expiresIn) {
      dropExpired(entries);
      const expiresAt = expiresIn === undefined ? Infinity : Date.now() + expiresIn * 1000;
      entries.set(id, { payload, expiresAt });
    },
    async find(id) {
      const entry = entries.get(id);
      return entry !== undefined && entry.expiresAt > Date.now() ? entry.payload : undefined;
    },
    findByUid: async (uid) => findBy(entries, (payload) => payload.uid === uid),
    findByUserCode: async (code) => findBy(entries, (payload) => payload.userCode === code),
    async consume(id) {
      const entry = entries.get(id);
      if (entry) entry.payload.consumed = Math.floor(Date.now() / 1000);
    },
    async destroy(id) {
      entries.delete(id);
    },
    async revokeByGrantId(grantId) {
      for (const store of all()) {
        for (const [id, { payload }] of store) if (payload.grantId === grantId) store.delete(id);
      }
    },
  };
}

function findBy(entries: Map<string, Entry>, matches: (payload: AdapterPayload) => boolean) {
  dropExpired(entries);
  return [...entries.values()].find(({ payload }) => matches(payload))?.payload;
}

function dropExpired(entries: Map<string, Entry>): void {
  const now = Date.now();
  for (const [id, entry] of entries) if (entry.expiresAt <= now) entries.delete(id);
}
