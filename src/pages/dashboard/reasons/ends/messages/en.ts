// Generated from en.json by `npm run generate`. Do not edit.
import { en as included } from '../../refusals/messages/en.js';
import type { EndReasons } from './end-reasons.js';

export const en: EndReasons = {
  ...included,
  left: 'They left.',
  lost: 'The connection to the device broke.',
  not_resumed: 'The connection broke, and the device did not come back in time.',
  not_connected: 'The media could not be connected.',
  b_frames: 'The encoder sent B-frames. Set B-frames to 0 in the encoder.',
  codec_unsupported: 'The video codec of the encoder is not supported. Set the video encoder to H.264.',
  nothing_to_publish: 'The encoder sent neither picture nor sound that can be published.',
  server_lost: 'The server stopped without notice.',
  replaced: 'The same device connected again.',
  transport_lost: 'Media no longer arrived.',
  media_engine_restarted: 'The media engine restarted.',
  server_stopping: 'The server was stopped.',
  database_unavailable: 'The server lost its database.',
  moved: 'The stream was on another server.',
  stopped_by_owner: 'Somebody stopped the broadcast from the dashboard or the API.',
  idle: 'The device connected and asked for nothing.',
  bitrate_too_high: 'The encoder sent far more than the operator permits. Lower the bitrate in the encoder.',
  displaced: 'Another viewer took the place that the token permits.',
  removed_by_owner: 'Somebody disconnected them from the dashboard or the API.',
};
