/** What is known of the bitrate of a publisher whose account has a limit. */
export type BitrateState =
  | { readonly name: 'within'; readonly recent: readonly number[] }
  /** `clearlyFor`: for how many measurements in a row it is far above. */
  | { readonly name: 'above'; readonly recent: readonly number[]; readonly clearlyFor: number }
  /** For good. `bitrate`: the average of the last measurements. */
  | { readonly name: 'exceeded'; readonly bitrate: number };

export const UNMEASURED: BitrateState = Object.freeze({ name: 'within', recent: [] });

/** The measurements of one average: a keyframe makes the bitrate of its second high. */
export const AVERAGED = 3;
/** Encoders vary around the bitrate that they are set to. */
export const TOLERATED_PART = 1.05;
/** What more than this part of the limit is, is not by chance. */
export const CLEAR_PART = 1.25;
/** For how many averages in a row a publisher may be far above. There is one each second. */
export const PATIENCE = 10;

/**
 * @param measured in the last second, in bit/s
 * @param max the limit of the account, in bit/s
 */
export function nextBitrateState(
  state: BitrateState,
  measured: number,
  { max, patience = PATIENCE }: { readonly max: number; readonly patience?: number },
): BitrateState {
  if (state.name === 'exceeded') return state;
  const recent = [...state.recent, measured].slice(-AVERAGED);
  if (recent.length < AVERAGED) return { ...state, recent };
  const bitrate = recent.reduce((sum, each) => sum + each, 0) / AVERAGED;
  // A publisher at its limit is not warned again and again.
  const isAbove = bitrate > max * (state.name === 'above' ? 1 : TOLERATED_PART);
  if (!isAbove) return { name: 'within', recent };
  if (bitrate <= max * CLEAR_PART) return { name: 'above', recent, clearlyFor: 0 };
  const clearlyFor = state.name === 'above' ? state.clearlyFor + 1 : 1;
  return clearlyFor < patience ? { name: 'above', recent, clearlyFor } : { name: 'exceeded', bitrate };
}

/** Of the sound, which browsers send beside the bitrate that they are told. */
const SOUND_BITRATE = 64_000;
/** Encoders of browsers vary around the bitrate that they are told. */
const TOLD_PART = 0.95;

/** What to tell a publisher that obeys, so that all it sends stays within the limit. In bit/s, as the limit. */
export function toldBitrate(max: number): number {
  return Math.round(Math.max(max / 2, max * TOLD_PART - SOUND_BITRATE));
}

/** The part of the limit that is recommended for the picture: the rest is for the sound and for what varies. */
const PICTURE_PART = 0.9;

/** For the person at the encoder. ffmpeg shows 255 characters. @param max the limit of the account, in bit/s */
export function bitrateTooHigh(bitrate: number, max: number): string {
  const picture = kilobits(max * PICTURE_PART);
  return (
    `The encoder sends ${kilobits(bitrate)} kbit/s, and the account may send ${kilobits(max)}. ` +
    `Set the video bitrate of the encoder to ${picture} kbit/s, constant ` +
    `(OBS: Output, Rate Control CBR; ffmpeg: -b:v ${picture}k -maxrate ${picture}k -bufsize ${picture}k)`
  );
}

const kilobits = (bitrate: number): number => Math.floor(bitrate / 1_000);
