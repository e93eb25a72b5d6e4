import type { CaptureErrorCode, StreamErrorCode } from '../../client/errors.js';
import type { RuleRefusalCode } from '../../wire/director/refusal-code.js';

/** What is so, and what it means for the person who reads it or what can be done. */
export type TitledMessage = readonly [title: string, next: string];

/**
 * Words with a number in them. They choose the form by `count` and write `shown`, which has the digits and
 * separators of the reader's language.
 */
export type CountedMessage = (count: number, shown: string) => string;

/** Refusals that only a broadcaster can meet. */
type BroadcasterRefusal = 'stream_in_use' | 'replaced' | 'stopped_by_owner';
/** Refusals that a person can meet. Other codes are shown with the service's own sentence under `refused`. */
type Refusals = Readonly<Record<Exclude<RuleRefusalCode, BroadcasterRefusal> | 'no_common_codec', TitledMessage>>;
type Failures = Readonly<Record<Exclude<StreamErrorCode, CaptureErrorCode | 'rejected'>, TitledMessage>>;

/** Said by both tags. The keys of sentences about an error are its `code` or `reason`. */
export interface SharedMessages extends Refusals, Failures {
  /** Which way the language is written. */
  readonly dir: 'ltr' | 'rtl';
  /** On the badge, beside the picture. */
  readonly live: string;
  /** Said to those who cannot see the spinner. */
  readonly loading: string;
  /** How many people watch, for those who cannot see the eye beside the number. */
  readonly watching: CountedMessage;
  readonly reconnecting: string;
  readonly offline: TitledMessage;
  readonly tryAgain: string;
  /** Title of a refusal that has no sentence here. */
  readonly refused: string;
  readonly settings: string;
  readonly close: string;
  readonly bitrate: string;
  readonly frameRate: string;
  readonly packetLoss: string;
  readonly roundTrip: string;
  readonly codec: string;
  readonly resolution: string;
  /** A choice left to us, of a quality or a device. */
  readonly automatic: string;
}

/** Said by `<stream-viewer>` alone. */
export interface ViewerMessages extends SharedMessages {
  /** Names the whole tag for screen readers. */
  readonly player: string;
  readonly noStream: string;
  readonly noAccess: string;
  readonly waiting: TitledMessage;
  readonly ended: TitledMessage;
  readonly play: string;
  readonly pause: string;
  /** Play, after a pause: what was missed is gone. */
  readonly backToLive: string;
  readonly paused: string;
  readonly mute: string;
  readonly unmute: string;
  readonly tapForSound: string;
  readonly volume: string;
  readonly quality: string;
  readonly captions: string;
  readonly captionsOff: string;
  readonly statistics: string;
  readonly latency: string;
  readonly pictureInPicture: string;
  readonly leavePictureInPicture: string;
  readonly fullscreen: string;
  readonly leaveFullscreen: string;
  readonly cast: string;
}

type BroadcasterFaults = Readonly<Record<CaptureErrorCode | BroadcasterRefusal, TitledMessage>>;

/** Said by `<stream-broadcaster>` alone. */
export interface BroadcasterMessages extends SharedMessages, BroadcasterFaults {
  /** Names the whole tag for screen readers. */
  readonly broadcaster: string;
  readonly ready: TitledMessage;
  readonly allowDevices: string;
  readonly askingForDevices: string;
  readonly camera: string;
  readonly microphone: string;
  readonly turnOffCamera: string;
  readonly turnOnCamera: string;
  readonly cameraOff: string;
  readonly turnOffMicrophone: string;
  readonly turnOnMicrophone: string;
  readonly microphoneLevel: string;
  readonly noSound: string;
  readonly cameraLost: TitledMessage;
  readonly microphoneLost: TitledMessage;
  readonly shareScreen: string;
  readonly stopSharingScreen: string;
  readonly screenEnded: string;
  readonly goLive: string;
  readonly cancel: string;
  readonly stop: string;
  /** Names the clock of a broadcast. */
  readonly timeOnAir: string;
  readonly notReady: TitledMessage;
  readonly simulcast: string;
  readonly echoCancellation: string;
  readonly noiseSuppression: string;
  readonly gainControl: string;
  readonly health: string;
  readonly healthGood: string;
  /** `shown` is the height of the picture that gets through, such as 360. */
  readonly healthSlow: CountedMessage;
  readonly healthLossy: string;
  readonly healthBusy: string;
  readonly share: string;
  readonly viewerLink: string;
  readonly embedCode: string;
  readonly copy: string;
  readonly copied: string;
}

/** Everything that the tags say, one key a message. */
export interface Messages extends ViewerMessages, BroadcasterMessages {}
