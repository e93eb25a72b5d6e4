import type { UnpublishableCode } from '../../sessions/publisher-session.js';

/** Why a publication ends. The sentence is for the person at the encoder. */
export interface PublicationFault {
  readonly code: UnpublishableCode;
  readonly message: string;
}

export const B_FRAMES: PublicationFault = {
  code: 'b_frames',
  message:
    'The video has B-frames, which browsers cannot play live. Set B-frames to 0 in the encoder (ffmpeg: -bf 0; OBS: Max B-frames 0, or Tune zerolatency)',
};

export const NOTHING_TO_PUBLISH: PublicationFault = {
  code: 'nothing_to_publish',
  message: 'Neither sound nor picture came that can be published. Set the video encoder to H.264',
};
