import { devicePermission } from '../../../client/broadcaster/capture.js';
import {
  CLOSED,
  isNewest,
  nextDeviceState,
  tracksOf,
  type CaptureKind,
  type CaptureRequest,
  type DeviceEvent,
  type DeviceState,
} from './device-state.js';

export interface DeviceOperationsConfig {
  /** Called when a device has opened, before its track is sent. */
  readonly onOpen: (kind: CaptureKind, track: MediaStreamTrack) => void;
  /** Called when an open device has ended by itself. */
  readonly onLoss: () => void;
}

/** Opens the devices of a request. Undefined: the person cancelled. */
type Open = () => Promise<MediaStream | undefined>;

/**
 * Opens and closes camera, microphone and screen. Operations on one camera or one microphone run one after the other,
 * because a phone cannot have two cameras open and browsers cannot cancel a request. Only the newest request has an
 * effect: an earlier one that waits is skipped, and tracks that an earlier one opens are stopped at once.
 */
export class DeviceOperations {
  readonly #states = new Map<CaptureKind, DeviceState>();
  /** For each device, a promise that settles after its last operation. */
  readonly #queues = new Map<CaptureKind, Promise<unknown>>();
  readonly #config: DeviceOperationsConfig;

  constructor(config: DeviceOperationsConfig) {
    this.#config = config;
  }

  state(kind: CaptureKind): DeviceState {
    return this.#states.get(kind) ?? CLOSED;
  }

  /** The tracks of the current device, working or not. */
  tracks(kind: CaptureKind): readonly MediaStreamTrack[] {
    return tracksOf(this.state(kind));
  }

  /**
   * Opens devices, and replaces the current ones. Resolves when the request is over, also if a newer one replaced it.
   *
   * @param open called at once for a screen: browsers show the list of screens only right after a click
   * @throws the error of `open`, unless a newer request has replaced this one
   */
  request(kinds: readonly CaptureKind[], open: Open, deviceId = ''): Promise<void> {
    const request = { deviceId };
    const isScreen = kinds.includes('screen');
    const earlier = isScreen ? [] : kinds.flatMap((kind) => this.#queues.get(kind) ?? []);
    for (const kind of kinds) this.#move(kind, { type: 'requested', request });
    const operation = this.#run(kinds, open, request, earlier);
    if (!isScreen)
      for (const kind of kinds)
        this.#queues.set(
          kind,
          operation.catch(() => {}),
        );
    return operation;
  }

  /** Closes the current device. Tracks that a pending request opens are stopped at once. */
  close(kind: CaptureKind): void {
    stopAll(this.tracks(kind));
    this.#move(kind, { type: 'closed' });
  }

  async #run(
    kinds: readonly CaptureKind[],
    open: Open,
    request: CaptureRequest,
    earlier: readonly Promise<unknown>[],
  ): Promise<void> {
    if (earlier.length > 0) await Promise.all(earlier);
    const newest = (): readonly CaptureKind[] => kinds.filter((kind) => isNewest(this.state(kind), request));
    if (newest().length === 0) return;
    for (const kind of newest()) if (kind !== 'screen') this.#release(kind, request);
    try {
      const media = await open();
      const wanted = newest();
      const tracksFor = (kind: CaptureKind): readonly MediaStreamTrack[] =>
        media?.getTracks().filter((track) => kind === 'screen' || kind === track.kind) ?? [];
      for (const kind of kinds) {
        if (wanted.includes(kind)) this.#finish(kind, request, tracksFor(kind));
        else stopAll(tracksFor(kind));
      }
    } catch (error) {
      const failed = newest();
      for (const kind of failed) this.#move(kind, { type: 'failed', request });
      if (failed.length > 0) throw error;
    }
  }

  #release(kind: CaptureKind, request: CaptureRequest): void {
    stopAll(this.tracks(kind));
    this.#move(kind, { type: 'released', request });
  }

  #finish(kind: CaptureKind, request: CaptureRequest, tracks: readonly MediaStreamTrack[]): void {
    // A screen is shared as long as its video track is live. Its audio may end earlier.
    const track = tracks.find(({ kind: one }) => one === 'video') ?? tracks[0];
    if (!track) return this.#move(kind, { type: 'failed', request });
    stopAll(this.tracks(kind));
    this.#config.onOpen(kind, track);
    const deviceId = (kind !== 'screen' && track.getSettings().deviceId) || '';
    this.#move(kind, { type: 'opened', request, tracks, deviceId });
    const onEnded = (): void => void this.#lose(kind, track);
    if (track.readyState === 'live') track.addEventListener('ended', onEnded);
    else onEnded();
  }

  async #lose(kind: CaptureKind, track: MediaStreamTrack): Promise<void> {
    const isDenied =
      kind !== 'screen' && (await devicePermission(kind === 'video' ? 'camera' : 'microphone')) === 'denied';
    this.#move(kind, { type: 'ended', track, reason: isDenied ? 'capture_denied' : 'lost' });
    if (kind === 'screen' && this.state(kind).name === 'lost') stopAll(this.tracks(kind));
    this.#config.onLoss();
  }

  #move(kind: CaptureKind, event: DeviceEvent): void {
    this.#states.set(kind, nextDeviceState(this.state(kind), event));
  }
}

function stopAll(tracks: readonly MediaStreamTrack[]): void {
  for (const track of tracks) track.stop();
}
