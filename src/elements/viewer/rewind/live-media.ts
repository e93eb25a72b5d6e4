import type { StreamSource } from '../../../client/viewer/sources.js';

/** Sends a command in the session of the viewer. Undefined: there is no session. */
export type SendCommand = (name: string, data: object) => Promise<unknown>;

/** The m-lines of our client. */
const MAPPING = [
  { trackId: '0', media: 'video' },
  { trackId: '1', media: 'audio' },
];

/** While it is off, the server sends no live picture and no sound. The session stays. */
export function receiveLive(
  isOn: boolean,
  video: HTMLVideoElement,
  command: SendCommand,
  [first]: readonly StreamSource[],
): void {
  // Of the tracks: `muted` of the tag is what the visitor chose, and holds for the recording too.
  for (const track of streamOf(video)?.getAudioTracks() ?? []) track.enabled = isOn;
  const sent = isOn
    ? command('project', { sourceId: first?.sourceId ?? null, mapping: MAPPING })
    : command('unproject', { mediaIds: MAPPING.map(({ trackId }) => trackId) });
  void sent.catch(() => {});
}

/** Calls `run` with the next live picture; at once if there is no video. */
export function onLivePicture(video: HTMLVideoElement, run: () => void): void {
  if (streamOf(video)?.getVideoTracks().length) video.requestVideoFrameCallback(run);
  else run();
}

const streamOf = ({ srcObject }: HTMLVideoElement): MediaStream | null => srcObject as MediaStream | null;
