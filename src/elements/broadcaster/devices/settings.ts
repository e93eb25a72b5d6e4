import type { VideoCodec } from '../../../client/broadcaster/broadcaster.js';
import type { PictureHeight } from '../../picture-height.js';

/** What broadcasters can choose in the settings panel: properties of the tag. */
export interface BroadcasterSettings {
  resolution: PictureHeight;
  frameRate: number;
  maxBitrate: number;
  codec: VideoCodec | 'auto';
  simulcast: boolean | 'auto';
  echoCancellation: boolean;
  noiseSuppression: boolean;
  autoGainControl: boolean;
}

/** A copy of the settings of a tag. */
export function settingsOf({
  resolution,
  frameRate,
  maxBitrate,
  codec,
  simulcast,
  echoCancellation,
  noiseSuppression,
  autoGainControl,
}: Readonly<BroadcasterSettings>): Readonly<BroadcasterSettings> {
  return {
    resolution,
    frameRate,
    maxBitrate,
    codec,
    simulcast,
    echoCancellation,
    noiseSuppression,
    autoGainControl,
  };
}
