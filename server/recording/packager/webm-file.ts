import { clusterOf, type Block } from '../matroska/cluster.js';
import { element, fixedUint, ID, uint } from '../matroska/ebml.js';
import { fileStart, infoOf, TRACK_NUMBERS, tracksOf, type Tracks } from '../matroska/header.js';
import type { OutputFile } from './output-file.js';

/** Of the size of the segment, at its end. */
const SIZE_BYTES = 8;

/** Writes a WebM file with its duration and its index before the media. */
export class WebmFile {
  readonly #file: OutputFile;
  readonly #track: number;
  readonly #segmentAt: number;
  readonly #cuesAt: number;
  readonly #pointCount: number;
  readonly #points: { readonly position: number; readonly timestampMs: number }[] = [];

  /** @param pointCount how many points its index will have, exactly */
  static async start(file: OutputFile, tracks: Tracks, durationMs: number, pointCount: number): Promise<WebmFile> {
    const start = fileStart('webm');
    const before = Buffer.concat([start, infoOf(durationMs), tracksOf(tracks)]);
    const webm = new WebmFile(file, tracks, start.length, before.length, pointCount);
    await file.write(before);
    // Place for the index. Its size does not depend on what is in it.
    await file.write(webm.#cues());
    return webm;
  }

  private constructor(file: OutputFile, tracks: Tracks, segmentAt: number, cuesAt: number, pointCount: number) {
    this.#file = file;
    this.#track = tracks.video ? TRACK_NUMBERS.video : TRACK_NUMBERS.audio;
    this.#segmentAt = segmentAt;
    this.#cuesAt = cuesAt;
    this.#pointCount = pointCount;
  }

  /** @param indexMs the time in the index that leads to the blocks. Undefined: none does */
  async add(blocks: readonly Block[], indexMs: number | undefined): Promise<void> {
    if (indexMs !== undefined) this.#points.push({ position: this.#file.size, timestampMs: indexMs });
    await this.#file.write(clusterOf(blocks));
  }

  async finish(): Promise<void> {
    await this.#file.write(this.#cues(), this.#cuesAt);
    const size = Buffer.alloc(SIZE_BYTES);
    size.writeBigUInt64BE(BigInt(this.#file.size - this.#segmentAt));
    size[0] = 0x01;
    await this.#file.write(size, this.#segmentAt - SIZE_BYTES);
  }

  #cues(): Buffer {
    const points = Array.from({ length: this.#pointCount }, (_, index) => {
      const { position, timestampMs } = this.#points[index] ?? { position: this.#segmentAt, timestampMs: 0 };
      return element(
        ID.cuePoint,
        fixedUint(ID.cueTime, timestampMs),
        element(
          ID.cueTrackPositions,
          uint(ID.cueTrack, this.#track),
          fixedUint(ID.cueClusterPosition, position - this.#segmentAt),
        ),
      );
    });
    return element(ID.cues, ...points);
  }
}
