/** Several sounds as one track, for as long as it is not closed. */
export class AudioMixer {
  readonly #context = new AudioContext();
  readonly #parts: readonly MediaStreamTrack[];
  readonly track: MediaStreamTrack;

  constructor(parts: readonly MediaStreamTrack[]) {
    this.#parts = parts;
    const out = this.#context.createMediaStreamDestination();
    for (const part of parts) this.#context.createMediaStreamSource(new MediaStream([part])).connect(out);
    this.track = out.stream.getAudioTracks()[0]!;
    this.#context.resume().catch(() => {});
  }

  mixes(parts: readonly MediaStreamTrack[]): boolean {
    return parts.length === this.#parts.length && parts.every((part, index) => part === this.#parts[index]);
  }

  close(): void {
    this.track.stop();
    void this.#context.close();
  }
}
