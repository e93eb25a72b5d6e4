import type { Grant } from '../authorization/director.js';
import type { StreamError } from '../errors.js';
import { openSignalling, type SignallingConnection, type SignallingOptions } from './signalling.js';

type OnLost = (error: StreamError) => void;

/**
 * Goes on as the websocket of a grant, which its first command has to show; `onLost` is told of its end from then on.
 * Undefined: there is none to go on with.
 */
export type AdoptPreconnected = (grant: Grant, onLost: OnLost) => Promise<SignallingConnection | undefined>;

/**
 * Opens a websocket while its grant is still asked for, which saves the time of a handshake. Where it cannot be had, or
 * leads elsewhere than the grant does, nobody learns that it was tried.
 */
export function preconnect(url: string, options: Omit<SignallingOptions, 'onLost'>): AdoptPreconnected {
  const elsewhere = new AbortController();
  let isLost = false;
  let onLost: OnLost = () => (isLost = true);
  const signal = AbortSignal.any([options.signal, elsewhere.signal]);
  const opening = openSignalling(url, { ...options, signal, onLost: (error) => onLost(error) }).catch(() => undefined);

  return async ({ urls }, tell) => {
    if (!urls[0]?.startsWith(`${url}/`)) return void elsewhere.abort();
    const signalling = await opening;
    if (isLost) return undefined;
    onLost = tell;
    return signalling;
  };
}
