/** Mixes audio tracks into one, until it is closed. It does not stop the input tracks. */
export class AudioMixer {
  readonly #context = new AudioContext();
  readonly #inputs: readonly MediaStreamTrack[];
  readonly track: MediaStreamTrack;

  constructor(inputs: readonly MediaStreamTrack[]) {
    this.#inputs = inputs;
    const output = this.#context.createMediaStreamDestination();
    for (const input of inputs) this.#context.createMediaStreamSource(new MediaStream([input])).connect(output);
    this.track = output.stream.getAudioTracks()[0]!;
    this.#context.resume().catch(() => {});
  }

  mixes(tracks: readonly MediaStreamTrack[]): boolean {
    return tracks.length === this.#inputs.length && tracks.every((track, index) => track === this.#inputs[index]);
  }

  close(): void {
    this.track.stop();
    void this.#context.close();
  }
}
