/** The ids of the devices that are plugged in. The broken ones fail to open, like devices that another program uses. */
export const CAMERAS = ['camera-1', 'camera-2', 'camera-broken'];
export const MICROPHONES = ['microphone-1', 'microphone-2', 'microphone-broken'];

/** `navigator.mediaDevices` for Node. It keeps every track that it has opened. */
export class FakeDevices extends EventTarget {
  readonly opened: FakeTrack[] = [];
  /** Ids of devices that are not plugged in. */
  readonly absent = new Set<string>();
  /** Requests that a page should never make. */
  readonly faults: string[] = [];
  /** Resolves when the device has opened. */
  readonly #wait: (label: string) => Promise<unknown>;

  constructor(wait: (label: string) => Promise<unknown>) {
    super();
    this.#wait = wait;
  }

  get live(): readonly FakeTrack[] {
    return this.opened.filter(({ readyState }) => readyState === 'live');
  }

  async enumerateDevices(): Promise<object[]> {
    const list = (kind: string, ids: readonly string[]) =>
      ids.filter((id) => !this.absent.has(id)).map((deviceId) => ({ kind, deviceId, label: deviceId }));
    return [...list('videoinput', CAMERAS), ...list('audioinput', MICROPHONES)];
  }

  async getUserMedia(wanted: Partial<Record<'video' | 'audio', Constraints>>): Promise<FakeStream> {
    const tracks = (['video', 'audio'] as const).flatMap((kind) => {
      const constraints = wanted[kind];
      if (!constraints) return [];
      if (this.live.some((track) => track.kind === kind && !track.isScreen)) this.faults.push(`two ${kind} devices`);
      const id = constraints.deviceId?.exact ?? (kind === 'video' ? CAMERAS : MICROPHONES)[0]!;
      return [new FakeTrack(kind, id, constraints)];
    });
    await this.#wait(`opens ${tracks.map(({ id }) => id).join(' and ')}`);
    if (tracks.some(({ id }) => this.absent.has(id))) throw new DOMException('deviceId', 'OverconstrainedError');
    if (tracks.some(({ id }) => id.endsWith('broken'))) throw new DOMException('busy', 'NotReadableError');
    return this.#open(tracks);
  }

  async getDisplayMedia(): Promise<FakeStream> {
    await this.#wait('opens a screen');
    return this.#open([new FakeTrack('video', 'screen', {}, true), new FakeTrack('audio', 'screen-sound', {}, true)]);
  }

  #open(tracks: readonly FakeTrack[]): FakeStream {
    this.opened.push(...tracks);
    return new FakeStream(tracks);
  }
}

interface Constraints {
  readonly deviceId?: { readonly exact: string };
  readonly echoCancellation?: boolean;
}

export class FakeTrack extends EventTarget {
  readyState = 'live';
  enabled = true;
  contentHint = '';
  readonly kind: 'video' | 'audio';
  readonly id: string;
  readonly isScreen: boolean;
  constraints: Constraints;

  constructor(kind: 'video' | 'audio', id: string, constraints: Constraints = {}, isScreen = false) {
    super();
    this.kind = kind;
    this.id = id;
    this.constraints = constraints;
    this.isScreen = isScreen;
  }

  getSettings(): object {
    return { deviceId: this.id, echoCancellation: this.constraints.echoCancellation };
  }

  async applyConstraints(constraints: Constraints): Promise<void> {
    this.constraints = constraints;
  }

  stop(): void {
    this.readyState = 'ended';
  }

  /** Ends the track as a browser does when its device is unplugged. */
  unplug(): void {
    if (this.readyState === 'ended') return;
    this.stop();
    this.dispatchEvent(new Event('ended'));
  }
}

export class FakeStream {
  #tracks: readonly FakeTrack[];

  constructor(tracks: readonly FakeTrack[] = []) {
    this.#tracks = [...tracks];
  }

  getTracks(): readonly FakeTrack[] {
    return this.#tracks;
  }
  getVideoTracks(): readonly FakeTrack[] {
    return this.#tracks.filter(({ kind }) => kind === 'video');
  }
  getAudioTracks(): readonly FakeTrack[] {
    return this.#tracks.filter(({ kind }) => kind === 'audio');
  }
  addTrack(track: FakeTrack): void {
    this.#tracks = [...this.#tracks, track];
  }
  removeTrack(track: FakeTrack): void {
    this.#tracks = this.#tracks.filter((one) => one !== track);
  }
}

/** An `AudioContext` whose mixed track is a fake one. */
export class FakeAudioContext {
  createMediaStreamDestination = () => ({ stream: new FakeStream([new FakeTrack('audio', 'mix')]) });
  createMediaStreamSource = () => ({ connect() {} });
  resume = () => Promise.resolve();
  close = () => Promise.resolve();
}
