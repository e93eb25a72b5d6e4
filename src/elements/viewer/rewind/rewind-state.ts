import type { RewindAddress } from './rewind-address.js';

/** What the visitor sees of a stream that may be recorded. */
export type RewindState =
  /** Nothing is known to be recorded. */
  | { readonly name: 'absent' }
  /** It is recorded, or the recording was refused; `code` says why nobody can go back. */
  | { readonly name: 'refused'; readonly code: string; readonly sentence: string }
  /** This browser cannot play it. */
  | { readonly name: 'unplayable' }
  /** The visitor sees what is live, or nothing. */
  | { readonly name: 'ready'; readonly address: RewindAddress }
  /** The recording is loading: what was visible stays visible. */
  | { readonly name: 'loading'; readonly address: RewindAddress; readonly time: number; readonly attempt: number }
  | { readonly name: 'behind'; readonly address: RewindAddress }
  /** The recording is loaded again, at another place or because it has more by now: its last picture stays visible. */
  | { readonly name: 'reloading'; readonly address: RewindAddress; readonly time: number; readonly attempt: number }
  /** The recording stays visible until the first live picture. */
  | { readonly name: 'returning'; readonly address: RewindAddress };

export type RewindEvent =
  | { readonly type: 'found'; readonly address: RewindAddress | undefined }
  | { readonly type: 'unsupported' }
  | { readonly type: 'refused'; readonly code: string; readonly sentence: string }
  | { readonly type: 'seek'; readonly time: number }
  /** Where it is loaded. @param time in seconds */
  | { readonly type: 'reload'; readonly time: number }
  | { readonly type: 'picture' }
  /** The player cannot go on. @param time where it was */
  | { readonly type: 'broken'; readonly time: number }
  | { readonly type: 'return' }
  /** The live picture is there, or nothing of the recording shall be shown any more. */
  | { readonly type: 'left' };

/** Whether the recording is visible. */
export const isBehind = ({ name }: RewindState): boolean =>
  name === 'behind' || name === 'reloading' || name === 'returning';

/** The next state. An event that means nothing in a state changes nothing. */
export function nextRewindState(state: RewindState, event: RewindEvent): RewindState {
  if (state.name === 'unplayable') return state;
  switch (event.type) {
    case 'found':
      // A recording that plays goes on: only its length is new.
      if (!event.address) return 'address' in state && state.name !== 'ready' ? state : { name: 'absent' };
      return 'address' in state ? { ...state, address: event.address } : { name: 'ready', address: event.address };
    case 'unsupported':
      return { name: 'unplayable' };
    case 'refused':
      return { name: 'refused', code: event.code, sentence: event.sentence };
    case 'seek':
      if (state.name === 'behind' || !('address' in state)) return state;
      if (state.name === 'returning' || state.name === 'reloading') return reloading(state.address, event.time, 0);
      return { name: 'loading', address: state.address, time: event.time, attempt: 0 };
    case 'reload':
      return state.name === 'behind' ? reloading(state.address, event.time, 0) : state;
    case 'picture':
      return isLoading(state) ? { name: 'behind', address: state.address } : state;
    case 'broken':
      if (state.name === 'behind') return reloading(state.address, event.time, 1);
      return isLoading(state) ? { ...state, time: event.time, attempt: state.attempt + 1 } : state;
    case 'return':
      return state.name === 'behind' || state.name === 'reloading'
        ? { name: 'returning', address: state.address }
        : state;
    case 'left':
      return 'address' in state ? { name: 'ready', address: state.address } : state;
  }
}

const reloading = (address: RewindAddress, time: number, attempt: number): RewindState => ({
  name: 'reloading',
  address,
  time,
  attempt,
});

/** Whether the first picture of what is being loaded is awaited. */
export function isLoading(state: RewindState): state is RewindState & { readonly name: 'loading' | 'reloading' } {
  return state.name === 'loading' || state.name === 'reloading';
}

/** How long the recording is now, in seconds. While the stream is live, it grows. */
export function lengthOf({ seconds, isLive, at }: RewindAddress, now: number): number {
  return isLive ? seconds + (now - at) / 1000 : seconds;
}

/** Where the picture is, in seconds. @param playedTo where the visible picture of the recording is */
export function timeOf(state: RewindState, length: number, playedTo: number): number {
  if (isLoading(state)) return state.time;
  return isBehind(state) ? Math.min(length, playedTo) : length;
}

/** As `3:05` or `1:03:05`. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (parts[0] === 0) parts.shift();
  return parts.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}
