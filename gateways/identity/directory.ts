export type Invitation = {
  email: string;
  /** The name of the shop as a mail may show it. */
  tenantName: string;
  /** The page where the person decides. */
  inviteUrl: string;
};

/** Invites people through the identity provider. Asked by the worker only: it may take long. */
export type IdentityDirectory = {
  /**
   * Invites the person, who may have an account already. Returns whether the directory has sent a
   * mail; where it has not, or may not have, ours is due. Throws DirectoryError when it certainly
   * did nothing: then it may be asked again, and only then, because some send a mail each time.
   */
  invite(invitation: Invitation): Promise<{ isMailed: boolean }>;
  /** Whether its address, credentials and rights are right: throws DirectoryError if not. */
  check(): Promise<void>;
};
