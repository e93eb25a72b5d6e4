import type { CaptureErrorCode } from '../../../client/errors.js';
import type { TrackKind } from '../../../client/viewer/sources.js';

export type CaptureKind = TrackKind | 'screen';

/** Why a device is lost. `lost`: it was unplugged, another program took it, or the person stopped sharing. */
export type LossReason = 'lost' | Extract<CaptureErrorCode, 'capture_denied'>;

/** One attempt to open devices. Compared by identity. */
export interface CaptureRequest {
  /** Empty: the browser's choice. */
  readonly deviceId: string;
}

interface Capture {
  /** The track of a camera or a microphone. For a screen: its video, and its audio if there is any. */
  readonly tracks: readonly MediaStreamTrack[];
  /** Empty for a screen, or if the browser does not report it: Firefox has no id for a track that has ended. */
  readonly deviceId: string;
}

/** The state of a device without a pending request. */
type SettledState =
  | { readonly name: 'closed' }
  | ({ readonly name: 'open' } & Capture)
  /** It ended by itself, or was released for another one that did not open. */
  | ({ readonly name: 'lost'; readonly reason: LossReason } & Capture);

/** The state of a camera or a microphone. `lost`: it ended by itself, or was released for one that did not open. */
export type DeviceStateName = 'closed' | 'opening' | 'open' | 'lost';

/** The state of a camera, a microphone or a screen. */
export type DeviceState =
  | SettledState
  | {
      readonly name: 'opening';
      /** The newest request. Earlier ones have no effect. */
      readonly request: CaptureRequest;
      /** The state after a failed or cancelled request. */
      readonly before: SettledState;
    };

export type DeviceEvent =
  | { readonly type: 'requested'; readonly request: CaptureRequest }
  /** The current device was stopped to open another one: phones cannot have two cameras open. */
  | { readonly type: 'released'; readonly request: CaptureRequest }
  | ({ readonly type: 'opened'; readonly request: CaptureRequest } & Capture)
  /** It could not be opened, or the person cancelled. */
  | { readonly type: 'failed'; readonly request: CaptureRequest }
  /** A track ended by itself. */
  | { readonly type: 'ended'; readonly track: MediaStreamTrack; readonly reason: LossReason }
  /** The device was closed. A pending request has no effect. */
  | { readonly type: 'closed' };

export const CLOSED = { name: 'closed' } as const;

/** The state after an event. Returns the same object if the event does not apply to the state. */
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

/** The tracks of the current device, working or not. They stay the same while another one opens. */
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
