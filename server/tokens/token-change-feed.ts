export interface TokenChangeListener {
  /** The token was made, changed or deleted by somebody, this process included. */
  changed(tokenId: number): void;
  /** Any token may have been. */
  anyChanged(): void;
  /** From now on changes may go unheard, until `anyChanged`. */
  lost(): void;
}

/** What other processes change in the database that this one shares with them. */
export interface TokenChangeFeed {
  /** Once it has answered nothing is missed in silence. */
  start(listener: TokenChangeListener): Promise<void>;
  close(): Promise<void>;
}
