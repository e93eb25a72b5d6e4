// Generated from en.json by `npm run generate`. Do not edit.
import type { SourceNotice } from '../../../../wire/management/live-stream.js';
import type { TokenKind } from '../../tokens/token-kind.js';
import type { QualityMessages } from '../../quality/messages/quality-messages.js';

/** The texts of the live page. Dates and numbers arrive formatted for the language. */
export interface LiveMessages {
  readonly live: string;
  readonly purpose: string;
  /** To somebody who may only look. */
  readonly whoStops: string;
  readonly none: string;
  readonly onAir: (since: string, duration: string) => string;
  readonly viewers: (count: string) => string;
  readonly chart: (most: string) => string;
  /** The picture of a stream, for those who do not see it. */
  readonly still: (stream: string) => string;
  /** Name of the group of buttons. */
  readonly recording: string;
  /** For screen readers, after the sign REC. */
  readonly isRecorded: string;
  /** The codec is recorded, and viewers cannot go back in it. */
  readonly noRewind: string;
  readonly record: string;
  readonly unrecord: string;
  /** @param length such as `30 sec` */
  readonly clip: (length: string) => string;
  readonly recordingBegun: (stream: string) => string;
  readonly recordingEnded: (stream: string) => string;
  readonly clipped: (stream: string) => string;
  readonly noStill: string;
  readonly mainSource: string;
  readonly source: (id: string) => string;
  readonly token: (id: string) => string;
  readonly noToken: string;
  readonly lost: string;
  readonly tracks: Readonly<Record<string, string>>;
  readonly lostPackets: (part: string) => string;
  readonly weakUpload: string;
  readonly shedFrames: (count: string) => string;
  readonly busyServer: string;
  /** What the server leaves out or changes, with the next step. */
  readonly notices: Readonly<Record<SourceNotice, string>>;
  readonly mostBitrate: (bitrate: string) => string;
  /** What the server cannot do about that limit. */
  readonly bitrateControl: Readonly<Record<string, string>>;
  readonly encodings: string;
  readonly size: string;
  readonly unknownSize: string;
  readonly bitrate: string;
  readonly notReceived: string;
  readonly stop: string;
  readonly stopThis: (stream: string) => string;
  readonly stopQuestion: (stream: string) => string;
  readonly stopEffect: string;
  readonly stopped: (stream: string) => string;
  readonly showConnections: string;
  readonly hideConnections: string;
  readonly publishersOf: (stream: string) => string;
  readonly viewersOf: (stream: string) => string;
  readonly noViewers: string;
  readonly moreViewers: string;
  readonly unknownAddress: string;
  readonly watchingSince: (time: string, duration: string) => string;
  readonly noPicture: string;
  readonly sent: (bitrate: string) => string;
  /** `size` is as `640 × 360`. */
  readonly sentSized: (size: string, bitrate: string) => string;
  readonly notSent: (count: string) => string;
  readonly reconnects: (count: string) => string;
  readonly disconnect: string;
  readonly disconnectThis: (address: string) => string;
  readonly disconnectQuestion: (address: string) => string;
  readonly disconnectEffect: string;
  readonly disconnected: (address: string) => string;
  readonly block: string;
  readonly blockThis: (address: string) => string;
  /** Why the address of a session cannot be blocked. */
  readonly cannotBlockGuest: string;
  readonly cannotBlockUnknown: string;
  readonly blockQuestion: (address: string, id: string) => string;
  readonly blockEffect: Readonly<Record<TokenKind, (address: string, id: string) => string>>;
  /** The address is a network of IPv6. */
  readonly blockNetwork: string;
  readonly blockEnds: (stream: string, count: string) => string;
  readonly blocked: (address: string, id: string) => string;
  readonly unblock: (id: string) => string;
  readonly stale: (time: string) => string;
  readonly quality: QualityMessages;
}
