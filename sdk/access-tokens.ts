/**
 * Returns the access token to send. With `refresh` the last one was refused: return a new one, or
 * none to let the call fail. Without a token the request is sent without.
 */
export type TokenSource = (wanted: {
  refresh: boolean;
}) => string | undefined | Promise<string | undefined>;

export type AccessTokens = {
  current(): Promise<string | undefined>;
  /** A token that differs from the refused one, or undefined if the source has no other. */
  renewed(refused: string | undefined): Promise<string | undefined>;
};

/**
 * Asks the source for tokens. However many requests are refused at the same moment, the source is
 * asked to refresh once: a refresh token is often worth only one use.
 */
export function createAccessTokens(source: TokenSource): AccessTokens {
  let renewing: Promise<string | undefined> | undefined;

  const renew = async (refused: string | undefined) => {
    // Somebody may have refreshed it since the request was sent.
    const present = await source({ refresh: false });
    return present === refused ? source({ refresh: true }) : present;
  };

  return {
    current: async () => source({ refresh: false }),
    async renewed(refused) {
      renewing ??= renew(refused).finally(() => {
        renewing = undefined;
      });
      const token = await renewing;
      return token === refused ? undefined : token;
    },
  };
}
