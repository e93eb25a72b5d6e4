import type { CaptureErrorCode } from '../../../client/errors.js';
import type { TrackKind } from '../../../client/viewer/sources.js';

export type CaptureKind = TrackKind | 'screen';

/** Why a device is lost. `lost`: it was unplugged, another program took it, or the browser's own bar ended the sharing. */
export type LossReason = 'lost' | Extract<CaptureErrorCode, 'capture_denied'>;

/** One attempt to open devices. Compared by identity. */
export interface CaptureRequest {
  /** Empty: the browser's choice. */
  readonly deviceId: string;
}

interface Capture {
  /** One track of a camera or a microphone. Of a screen: its video first, then its audio if there is any. */
  readonly tracks: readonly MediaStreamTrack[];
  /** Empty for a screen, and where the browser does not tell. Firefox forgets the id of a track that ended. */
  readonly deviceId: string;
}

/** The device while no request for it runs. */
type SettledState =
  | { readonly name: 'closed' }
  | ({ readonly name: 'open' } & Capture)
  /** It was open and ended by itself, or was released for another one that did not open. */
  | ({ readonly name: 'lost'; readonly reason: LossReason } & Capture);

/** What a camera or a microphone is doing. `lost`: it ended by itself, or was released for one that did not open. */
export type DeviceStateName = 'closed' | 'opening' | 'open' | 'lost';

/** What a camera, a microphone or a screen is doing. */
export type DeviceState =
  | SettledState
  | {
      readonly name: 'opening';
      /** The newest request. Earlier ones have no effect any more. */
      readonly request: CaptureRequest;
      /** The state that a failed or cancelled request leads back to. */
      readonly before: SettledState;
    };

export type DeviceEvent =
  | { readonly type: 'requested'; readonly request: CaptureRequest }
  /** The present device was stopped to open another: phones cannot have two cameras open. */
  | { readonly type: 'released'; readonly request: CaptureRequest }
  | ({ readonly type: 'opened'; readonly request: CaptureRequest } & Capture)
  /** It could not be opened, or the person cancelled. */
  | { readonly type: 'failed'; readonly request: CaptureRequest }
  /** A track ended by itself. */
  | { readonly type: 'ended'; readonly track: MediaStreamTrack; readonly reason: LossReason }
  /** The present device was closed, and what a request opens is not wanted any more. */
  | { readonly type: 'closed' };

export const CLOSED = { name: 'closed' } as const;

/** The state after an event. An event that means nothing in this state leaves it as it is. */
export function nextDeviceState(state: DeviceState, event: DeviceEvent): DeviceState {
  switch (event.type) {
    case 'requested':
      return { name: 'opening', request: event.request, before: settledState(state) };
    case 'released':
      return isNewest(state, event.request) ? { ...state, before: lost(state.before, 'lost') } : state;
    case 'opened':
      if (!isNewest(state, event.request)) return state;
      return { name: 'open', tracks: event.tracks, deviceId: event.deviceId };
    case 'failed':
      return isNewest(state, event.request) ? state.before : state;
    case 'ended': {
      const settled = settledState(state);
      if (!tracksOf(settled).includes(event.track)) return state;
      const before = lost(settled, event.reason);
      return state.name === 'opening' ? { ...state, before } : before;
    }
    case 'closed':
      return CLOSED;
  }
}

/** The tracks of the present device, working or not. While another one is opened, still those of the present one. */
export function tracksOf(state: DeviceState): readonly MediaStreamTrack[] {
  const settled = settledState(state);
  return settled.name === 'closed' ? [] : settled.tracks;
}

export function isNewest(
  state: DeviceState,
  request: CaptureRequest,
): state is Extract<DeviceState, { name: 'opening' }> {
  return state.name === 'opening' && state.request === request;
}

const settledState = (state: DeviceState): SettledState => (state.name === 'opening' ? state.before : state);

const lost = (state: SettledState, reason: LossReason): SettledState =>
  state.name === 'closed' ? state : { name: 'lost', reason, tracks: state.tracks, deviceId: state.deviceId };
