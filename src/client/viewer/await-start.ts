import type { AwaitRequest } from '../../wire/websocket/await-request.js';
import { onResume } from '../connection/reconnect-policy.js';
import { LEAVING, openSignalling } from '../connection/signalling.js';
import { UnreachableError } from '../errors.js';
import { field, type Unread } from '../unread.js';

/** Often enough for proxies that close what is silent for a minute. */
const ASK_EVERY_MS = 40_000;

/**
 * Waits on a websocket until the server says that a viewer without a token may ask the director again.
 *
 * @returns whether the stream is live now; false: nobody knows, and the director is asked to be safe
 * @throws {StreamError} it cannot be awaited there, or the connection is lost
 */
export async function awaitStart(
  url: string,
  request: Pick<AwaitRequest, 'streamName'> & Record<'streamAccountId', string | undefined>,
  signal: AbortSignal,
  random: () => number = Math.random,
): Promise<boolean> {
  const over = new AbortController();
  const lifetime = AbortSignal.any([signal, over.signal]);
  const wait = async (lost: (error: unknown) => void): Promise<boolean> => {
    const { command } = await openSignalling(url, { signal: lifetime, onEvent() {}, onLost: lost });
    let isAnswered = true;
    // A browser notices late, or never, that a silent connection is dead.
    const ask = (): void => {
      if (!isAnswered) return lost(new UnreachableError('The server does not answer'));
      isAnswered = false;
      command('ping', {}).then(() => (isAnswered = true), lost);
    };
    const timer = setInterval(ask, ASK_EVERY_MS * (0.8 + random() * 0.4));
    lifetime.addEventListener('abort', () => clearInterval(timer));
    onResume(lifetime, ask);
    return !!field((await command('await', request)) as Unread<{ live: boolean }>, 'live');
  };
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { signal: over.signal });
      wait(reject).then(resolve, reject);
    });
  } finally {
    over.abort(LEAVING);
  }
}
