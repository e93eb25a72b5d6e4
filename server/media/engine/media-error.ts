export type MediaErrorCode =
  | 'invalid_sdp'
  | 'no_common_codec'
  /** The offer needs several transports, and there is one for each client. */
  | 'bundle_required'
  /** The offer of a publisher sends two tracks of a kind. */
  | 'too_many_tracks'
  | 'stream_in_use'
  | 'engine_unavailable'
  | 'unknown_source'
  | 'unknown_media'
  /** The engine makes the offer for viewers, and the client must be able to answer it. */
  | 'answer_required'
  /** The engine of the stream cannot do this; see `EngineCapabilities`. */
  | 'engine_unsupported'
  /** The upstream of the stream is set up wrongly, or does not accept this server. */
  | 'upstream_refused';

/** A refusal of the engine. The message is for the person who sent the offer. */
export class MediaError extends Error {
  override name = 'MediaError';
  readonly code: MediaErrorCode;

  constructor(code: MediaErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
