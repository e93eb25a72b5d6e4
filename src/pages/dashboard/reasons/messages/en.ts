import type { EndReasons, RefusalReasons } from './reason-messages.js';

export const refusalReasons: RefusalReasons = {
  token_missing: 'There was no token, and the stream needs one.',
  token_unknown: 'The token does not exist.',
  token_wrong_kind: 'The token is of the wrong kind: to watch instead of to publish, or the other way round.',
  token_disabled: 'The token is disabled.',
  token_expired: 'The token has expired.',
  stream_not_permitted: 'The token is for other streams.',
  stream_not_live: 'Nobody was live, and only viewers with a token can wait.',
  stream_in_use: 'Somebody else was publishing this stream.',
  origin_not_allowed: 'The token is for other websites.',
  address_denied: 'The token refuses this address.',
  address_not_allowed: 'The token is for other addresses.',
  country_not_allowed: 'The token is for other countries.',
  address_not_bound: 'The token is bound to other addresses already.',
  token_full: 'As many as the token permits were watching with it.',
};

export const endReasons: EndReasons = {
  ...refusalReasons,
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
  stopped_by_owner: 'Somebody stopped the broadcast from the dashboard or the API.',
  idle: 'The device connected and asked for nothing.',
  displaced: 'Another viewer took the place that the token permits.',
  removed_by_owner: 'Somebody disconnected them from the dashboard or the API.',
};
