import type { AwaitRequest } from '../../wire/websocket/await-request.js';
import { onResume } from '../connection/reconnect-policy.js';
import { LEAVING, openSignalling } from '../connection/signalling.js';
import { watchSilence } from '../connection/silence.js';
import { field, type Unread } from '../unread.js';

/** Nothing is received while a viewer waits, so the server is asked for signs of life. */
const NO_MEDIA = { getStats: async () => new Map<string, never>() };

/**
 * Waits on a websocket until the server says that a viewer without a token may ask the director again.
 *
 * @param onEnd called with the data of `inactive`: the viewer has come after the end of a broadcast
 * @returns whether the stream is live now; false: nobody knows, and the director is asked to be safe
 * @throws it cannot be awaited there, the connection is lost, or the network is another one
 */
export async function awaitStart(
  url: string,
  request: Pick<AwaitRequest, 'streamName'> & Record<'streamAccountId', string | undefined>,
  onEnd: (data: unknown) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const over = new AbortController();
  const lifetime = AbortSignal.any([signal, over.signal]);
  try {
    return await new Promise((resolve, reject) => {
      lifetime.addEventListener('abort', reject);
      onResume(lifetime, (type) => type === 'online' && reject());
      openSignalling(url, { signal: lifetime, onEvent: (_name, data) => onEnd(data), onLost: reject })
        .then((signalling) => {
          void watchSilence(NO_MEDIA, signalling, lifetime, reject);
          return signalling.command('await', request);
        })
        .then((answer) => resolve(!!field(answer as Unread<{ live: boolean }>, 'live')), reject);
    });
  } finally {
    over.abort(LEAVING);
  }
}
