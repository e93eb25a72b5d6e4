import type { VideoCodec } from '../media/engine/media-track.js';

interface PartVideo {
  /** Null or undefined: it has sound alone. */
  readonly video?: { readonly codec: VideoCodec } | null | undefined;
}

/**
 * The parts, divided where one file, or one playlist, cannot have both sides: at another video codec. Parts with sound
 * alone, or with a picture alone, belong to the parts beside them: a broadcaster turns camera and microphone on and off.
 * VP8 is the exception, because it has no place in a playlist, and sound alone has one.
 */
export function codecRuns<Part extends PartVideo>(parts: readonly Part[]): Part[][] {
  const runs: Part[][] = [];
  for (const part of parts) {
    const run = runs.at(-1);
    if (run && belongsTo(run, part)) run.push(part);
    else runs.push([part]);
  }
  return runs;
}

/** Undefined: the parts have sound alone. */
export function videoCodecOf(parts: readonly PartVideo[]): VideoCodec | undefined {
  return parts.find(({ video }) => video)?.video?.codec;
}

function belongsTo(run: readonly PartVideo[], { video }: PartVideo): boolean {
  const codec = videoCodecOf(run);
  if (codec && video) return codec === video.codec;
  return (codec ?? video?.codec) !== 'vp8';
}
