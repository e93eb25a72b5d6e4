import { devicePermission } from '../../../client/broadcaster/capture.js';
import type { CaptureErrorCode } from '../../../client/errors.js';

/** Why a device that was open is so no more. */
export type Loss = 'lost' | Extract<CaptureErrorCode, 'capture_denied'>;

/** A camera or microphone that was opened. It may go dark by itself. */
export class CaptureTrack {
  readonly track: MediaStreamTrack;
  /** Empty: the browser does not tell. Kept, as in Firefox a track that ended has forgotten it. */
  readonly id: string;
  /** Undefined: it works, as far as is known. */
  loss: Loss | undefined;

  constructor(track: MediaStreamTrack, onLoss: () => void) {
    this.track = track;
    this.id = track.getSettings().deviceId ?? '';
    track.addEventListener('ended', async () => {
      const permission = await devicePermission(track.kind === 'video' ? 'camera' : 'microphone');
      this.loss = permission === 'denied' ? 'capture_denied' : 'lost';
      onLoss();
    });
  }
}
