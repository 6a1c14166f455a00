import { UserId } from '../../domain/ids.ts';
import { NOTICE_KINDS, type NoticeKind } from '../../domain/notices.ts';
import { isEqualInConstantTime } from './constant-time.ts';
import { createSealer, createSubkeys, type Key } from './sealer.ts';

/** The mails that a link switches off, and whose. */
export type StoppedNotices = { userId: UserId; kind: NoticeKind };

/** Links that need no sign-in, because whoever gets the mail may get it no more. */
export type StopLinks = {
  /** The address that switches a kind of mail off for a person, when it is posted to. */
  urlOf(stopped: StoppedNotices): string;
  /** Reads the token of such an address; undefined when it is none of ours. */
  read(token: string): StoppedNotices | undefined;
};

const PATH = '/api/v1/notices/stop';

/**
 * Signs the links with the first key of a ring and accepts those of all (HMAC-SHA256). A link has
 * no end: it is good for as long as its key is in the ring.
 */
export function createStopLinks(ring: readonly Key[], apiBaseUrl: string): StopLinks {
  const { fingerprints } = createSealer(createSubkeys(ring, 'stop links'));
  return {
    urlOf({ userId, kind }) {
      const signed = `${kind}.${userId}`;
      const [mac] = fingerprints(signed);
      return `${apiBaseUrl}${PATH}?token=${signed}.${mac.toString('base64url')}`;
    },

    read(token) {
      const [name, id, mac = ''] = token.split('.');
      const kind = NOTICE_KINDS.find((each) => each === name);
      const userId = UserId.safeParse(id).data;
      if (kind === undefined || userId === undefined) return undefined;
      const isOurs = fingerprints(`${kind}.${userId}`).some((each) =>
        isEqualInConstantTime(mac, each.toString('base64url')),
      );
      return isOurs ? { userId, kind } : undefined;
    },
  };
}
