import type { StreamSource } from '../../../client/viewer/sources.js';

/** Sends a command in the session of the viewer. Undefined: there is no session. */
export type SendCommand = (name: string, data: object) => Promise<unknown>;

/** The m-lines of our client: video, audio. */
const MEDIA_IDS = ['0', '1'];

/** What is live, while the visitor sees the recording in its place, and again afterwards. The session stays. */
export class LiveMedia {
  readonly #video: HTMLVideoElement;
  readonly #sources: () => readonly StreamSource[];
  readonly #command: SendCommand;

  constructor(video: HTMLVideoElement, sources: () => readonly StreamSource[], command: SendCommand) {
    this.#video = video;
    this.#sources = sources;
    this.#command = command;
  }

  /** The live picture and its sound are not needed: the server sends nothing. */
  pause(): void {
    this.#setSound(false);
    void this.#command('unproject', { mediaIds: MEDIA_IDS }).catch(() => {});
  }

  resume(): void {
    this.#setSound(true);
    const [first] = this.#sources();
    const mapping = (['video', 'audio'] as const).map((media, index) => ({ trackId: MEDIA_IDS[index], media }));
    void this.#command('project', { sourceId: first?.sourceId ?? null, mapping }).catch(() => {});
  }

  /** Calls `run` with the next live picture; at once if there is no video. */
  onPicture(run: () => void): void {
    if (this.#stream?.getVideoTracks().length) this.#video.requestVideoFrameCallback(run);
    else run();
  }

  get #stream(): MediaStream | null {
    return this.#video.srcObject as MediaStream | null;
  }

  /** Of the tracks: `muted` of the tag is what the visitor chose, and holds for the recording too. */
  #setSound(isOn: boolean): void {
    for (const track of this.#stream?.getAudioTracks() ?? []) track.enabled = isOn;
  }
}
