/** As people write them. Others are shown as they are. */
const CODEC_NAMES: Readonly<Record<string, string>> = {
  h264: 'H.264',
  vp8: 'VP8',
  vp9: 'VP9',
  av1: 'AV1',
  opus: 'Opus',
};

export const codecName = (codec: string): string => CODEC_NAMES[codec] ?? codec;
