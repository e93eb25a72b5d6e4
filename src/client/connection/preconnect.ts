import type { Grant } from '../authorization/director.js';
import type { StreamError } from '../errors.js';
import { openSignalling, type SignallingConnection, type SignallingOptions } from './signalling.js';

type OnLost = (error: StreamError) => void;

/**
 * Uses the preconnected websocket for a grant; the first command on it carries the grant. `onLost` is called when the
 * websocket closes later. Returns undefined if there is no such websocket, or the grant names another server.
 */
export type AdoptPreconnected = (grant: Grant, onLost: OnLost) => Promise<SignallingConnection | undefined>;

/**
 * Opens a websocket while its grant is still requested, which saves the time of a handshake. It is not an error if the
 * websocket does not open.
 */
export function preconnect(url: string, options: Omit<SignallingOptions, 'onLost'>): AdoptPreconnected {
  const unused = new AbortController();
  let isLost = false;
  let onLost: OnLost = () => (isLost = true);
  const signal = AbortSignal.any([options.signal, unused.signal]);
  const opening = openSignalling(url, { ...options, signal, onLost: (error) => onLost(error) }).catch(() => undefined);

  return async ({ urls, jwt }, callback) => {
    if (!urls[0]?.startsWith(`${url}/`)) return void unused.abort();
    const signalling = await opening;
    if (isLost || !signalling) return undefined;
    onLost = callback;
    let proof: object | undefined = { grant: jwt };
    return {
      command: (name, data, isAnswered) => {
        const sent = signalling.command(name, { ...data, ...proof }, isAnswered);
        proof = undefined;
        return sent;
      },
    };
  };
}
