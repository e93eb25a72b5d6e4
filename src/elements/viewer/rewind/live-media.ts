/** Sends a command in the session of the viewer. Undefined: there is no session. */
export type SendCommand = (name: string, data: object) => Promise<unknown>;

/** While it is off, the server sends no live picture and no sound. The session stays. */
export function receiveLive(isOn: boolean, isAudioOnly: boolean, video: HTMLVideoElement, command: SendCommand): void {
  // Of the tracks: `muted` of the tag is what the visitor chose, and holds for the recording too.
  for (const track of streamOf(video)?.getAudioTracks() ?? []) track.enabled = isOn;
  const kinds = isAudioOnly ? ['audio'] : ['video', 'audio'];
  // `automatic`: as before, the source that the server chooses, and another one when that ends.
  const sent = isOn
    ? command('project', { automatic: true, mapping: kinds.map((media) => ({ media })) })
    : command('unproject', { mediaIds: kinds.map((_, index) => String(index)) });
  void sent.catch(() => {});
}

/** Calls `run` with the next live picture; at once if there is no video. */
export function onLivePicture(video: HTMLVideoElement, run: () => void): void {
  if (streamOf(video)?.getVideoTracks().length) video.requestVideoFrameCallback(run);
  else run();
}

const streamOf = ({ srcObject }: HTMLVideoElement): MediaStream | null => srcObject as MediaStream | null;
