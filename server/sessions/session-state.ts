import type { SourceId } from '../media/engine/media-track.js';

/** The source that a publisher claimed, and what happens to the source when the publisher is lost. */
export interface ClaimedSource {
  readonly sourceId: SourceId;
  /**
   * - `none`: the source is released at once.
   * - `when_lost`: the source is kept for the lease, because the client can resume.
   * - `inherited`: like `when_lost`, and the session took the source over from a lost session. A failed attempt to
   *   connect does not release the source.
   */
  readonly lease: 'none' | 'when_lost' | 'inherited';
}

/**
 * The states of a session from admission to its end. `Media` is the session of the media engine.
 *
 * A publisher has exactly one source in `connecting`, `connected` and `suspended`, and no source in the other states. A
 * viewer never has one.
 */
export type SessionState<Media> =
  | { readonly name: 'admitted' }
  /** The media engine was asked for the media and has not answered. */
  | { readonly name: 'connecting'; readonly source: ClaimedSource | undefined }
  | { readonly name: 'connected'; readonly source: ClaimedSource | undefined; readonly media: Media }
  /** The client was lost and its source is kept. The media engine may still be `connecting` its media. */
  | {
      readonly name: 'suspended';
      readonly source: ClaimedSource;
      readonly media: Media | undefined;
      readonly connecting: boolean;
    }
  | { readonly name: 'ended' };

export type SessionInput<Media> =
  /** The client asked for its media. A publisher has claimed its source. */
  | { readonly name: 'connect'; readonly source: ClaimedSource | undefined }
  /** The media engine connected the media. */
  | { readonly name: 'connected'; readonly media: Media }
  /** The media engine refused. */
  | { readonly name: 'failed' }
  /** The connection to the client broke, or its media ended without a call that closed it. */
  | { readonly name: 'lost' }
  /** The client left, the server ended the session, or the lease expired. */
  | { readonly name: 'ended' };

type Suspended<Media> = Extract<SessionState<Media>, { name: 'suspended' }>;
type Ended = Extract<SessionState<never>, { name: 'ended' }>;

const ADMITTED = Object.freeze({ name: 'admitted' });
const ENDED = Object.freeze({ name: 'ended' });

/** The state after an input. An input without a meaning in a state does not change the state. */
export function nextSessionState<Media>(state: SessionState<Media>, input: SessionInput<Media>): SessionState<Media> {
  if (input.name === 'ended') return ENDED;
  if (input.name === 'connect') return mayConnect(state) ? { name: 'connecting', source: input.source } : state;
  switch (state.name) {
    case 'admitted':
      return input.name === 'lost' ? ENDED : state;
    case 'connecting':
      if (input.name === 'connected') return { name: 'connected', source: state.source, media: input.media };
      if (input.name === 'lost') return lost(state.source, { media: undefined, connecting: true });
      return state.source?.lease === 'inherited' ? suspended(state.source) : ADMITTED;
    case 'connected':
      return input.name === 'lost' ? lost(state.source, { media: state.media, connecting: false }) : state;
    case 'suspended':
      if (!state.connecting || input.name === 'lost') return state;
      if (input.name === 'connected') return { ...state, media: input.media, connecting: false };
      // The client did not receive the answer, so it has no session key to resume with, unless it resumed before.
      return state.source.lease === 'inherited' ? suspended(state.source) : ENDED;
    case 'ended':
      return state;
  }
}

/** Whether the media can be asked for: it was not yet, or the engine refused it to a publisher that kept its source. */
export function mayConnect(state: SessionState<unknown>): boolean {
  return state.name === 'admitted' || (state.name === 'suspended' && !state.connecting && state.media === undefined);
}

export function sourceOf(state: SessionState<unknown>): ClaimedSource | undefined {
  return 'source' in state ? state.source : undefined;
}

export function mediaOf<Media>(state: SessionState<Media>): Media | undefined {
  return 'media' in state ? state.media : undefined;
}

function lost<Media>(
  source: ClaimedSource | undefined,
  rest: Pick<Suspended<Media>, 'media' | 'connecting'>,
): Suspended<Media> | Ended {
  return source === undefined || source.lease === 'none' ? ENDED : { name: 'suspended', source, ...rest };
}

function suspended(source: ClaimedSource): Suspended<never> {
  return { name: 'suspended', source, media: undefined, connecting: false };
}
