/** What was lost of a recording, or why there is none. Codes are stable, and each has a page in docs/errors. */
export type RecordingFaultCode =
  /** What is stored of it cannot be read: nothing can be done with it but to delete it. */
  | 'stored_row_unreadable'
  /** The disk was full. */
  | 'disk_full'
  /** The disk could not be written. */
  | 'disk_failed'
  /** The disk did not keep up: frames were left out. */
  | 'disk_slow'
  /** The process that writes ended, or the server was lost. */
  | 'recorder_lost'
  /** The account has used its space. */
  | 'quota_exceeded'
  /** No media came. */
  | 'nothing_recorded'
  /** The file could not be made ready to play. */
  | 'finish_failed'
  /** The file could not be copied to the S3 storage. */
  | 'upload_failed';

/** What the publisher is told: a fault of the recording, or why it could not begin. */
export type RecordingRefusalCode =
  | RecordingFaultCode
  /** The server does not record. */
  | 'recording_unavailable'
  /** The media engine of the stream gives no frames to record. */
  | 'engine_unsupported';
