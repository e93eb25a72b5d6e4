/** What an encoder is told, beside the refusals of whoever decides. */
export type RtmpRefusalCode = 'already_publishing' | 'decision_timeout' | 'media_timeout' | 'rtmp_invalid';

/** Why a connection cannot continue. Stable: logs and counters have them. */
export type RtmpFaultReason =
  | Exclude<RtmpRefusalCode, 'rtmp_invalid'>
  | 'not_rtmp'
  | 'chunk_invalid'
  | 'too_many_chunk_streams'
  | 'message_too_long'
  | 'buffer_full'
  | 'control_invalid'
  | 'aggregate_invalid'
  | 'amf_invalid'
  | 'amf_too_large'
  | 'command_invalid'
  | 'command_out_of_order'
  | 'too_many_commands'
  | 'play_unsupported'
  | 'media_before_publish'
  | 'too_much_before_acceptance'
  | 'handshake_timeout'
  | 'publish_timeout'
  | 'close_timeout';

/** The peer broke the protocol or a limit. The connection must be closed. The message never has a secret. */
export interface RtmpFault {
  readonly reason: RtmpFaultReason;
  readonly message: string;
}

/** What the encoder is told, which has a page in docs/errors. */
export function refusalCodeOf(reason: RtmpFaultReason): RtmpRefusalCode {
  switch (reason) {
    case 'already_publishing':
    case 'decision_timeout':
    case 'media_timeout':
      return reason;
    default:
      return 'rtmp_invalid';
  }
}
