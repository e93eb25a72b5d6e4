import type { StreamServer } from './stream-server.js';

export interface StopServerOptions {
  /** Ends the wait for clients that move to other servers. */
  readonly signal: AbortSignal;
  readonly beforeClose: () => void;
}

/**
 * Lets clients move to other servers, then closes the server: also if they could not be told.
 * @throws {Error} the server was not stopped cleanly
 */
export async function stopServer(
  server: Pick<StreamServer, 'drain' | 'close'>,
  { signal, beforeClose }: StopServerOptions,
): Promise<void> {
  try {
    await server.drain(signal);
  } finally {
    beforeClose();
    await server.close();
  }
}
