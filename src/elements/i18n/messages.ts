import type { CaptureErrorCode, StreamErrorCode } from '../../client/errors.js';
import type { RuleRefusalCode } from '../../wire/director/refusal-code.js';

/** A message with a detail: what it means, or what the visitor can do. */
export type TitledMessage = readonly [title: string, detail: string];

/**
 * A message with a number in it. `count` selects the grammatical form. `shown` is the number, formatted for the
 * language of the visitor.
 */
export type CountedMessage = (count: number, shown: string) => string;

/** Refusals of broadcasters only. */
type BroadcasterRefusal = 'stream_in_use' | 'replaced' | 'stopped_by_owner' | 'bitrate_too_high';
/** Refusals of viewers only. */
type ViewerRefusal = 'displaced' | 'removed_by_owner';
/** Refusals that a visitor never sees, because the viewer waits. */
type AwaitedRefusal = 'stream_not_live';
/** Refusals that a visitor can see. Other codes are shown with the explanation of the server. */
type Refusals = Readonly<
  Record<Exclude<RuleRefusalCode, BroadcasterRefusal | AwaitedRefusal> | 'no_common_codec', TitledMessage>
>;
type Failures = Readonly<Record<Exclude<StreamErrorCode, CaptureErrorCode | 'rejected'>, TitledMessage>>;

/** Messages of both tags. The key of a message about an error is the `code` or `reason` of the error. */
export interface SharedMessages extends Refusals, Failures {
  /** Direction of the script. */
  readonly dir: 'ltr' | 'rtl';
  /** On the live badge. */
  readonly live: string;
  /** Announced to screen readers while the spinner is shown. */
  readonly loading: string;
  /** Number of viewers, for screen readers. */
  readonly watching: CountedMessage;
  readonly reconnecting: string;
  readonly offline: TitledMessage;
  readonly tryAgain: string;
  readonly settings: string;
  readonly close: string;
  readonly bitrate: string;
  readonly frameRate: string;
  readonly packetLoss: string;
  readonly roundTrip: string;
  readonly codec: string;
  readonly resolution: string;
  /** The choice that leaves a quality or a device to the tag. */
  readonly automatic: string;
}

/** Messages of `<stream-viewer>`. */
export interface ViewerMessages extends SharedMessages, Readonly<Record<ViewerRefusal, TitledMessage>> {
  /** Name of the tag for screen readers. */
  readonly player: string;
  /** Title of a refusal without a message of its own. */
  readonly cannotWatch: string;
  readonly noStream: string;
  readonly noAccess: string;
  readonly waiting: TitledMessage;
  /** The broadcast stopped, and nobody has said that it is over. */
  readonly ended: TitledMessage;
  /** The broadcaster or the owner ended the broadcast. */
  readonly over: TitledMessage;
  /** Shown over the last picture while the broadcaster is lost and may come back. */
  readonly interrupted: string;
  readonly play: string;
  readonly pause: string;
  /** The play button after a pause. The viewer continues at the live edge. */
  readonly backToLive: string;
  readonly paused: string;
  /** Shown while the network is too slow for any picture. */
  readonly videoPaused: string;
  readonly mute: string;
  readonly unmute: string;
  readonly tapForSound: string;
  readonly volume: string;
  readonly quality: string;
  readonly captions: string;
  readonly captionsOff: string;
  readonly statistics: string;
  /** From the server to the screen. */
  readonly latency: string;
  /** From the camera of the broadcaster to the screen. */
  readonly captureLatency: string;
  readonly pictureInPicture: string;
  readonly leavePictureInPicture: string;
  readonly fullscreen: string;
  readonly leaveFullscreen: string;
  readonly cast: string;
}

/** Messages of the timeline of `<stream-viewer dvr>`. */
export interface RewindMessages {
  /** Name of the slider for screen readers. */
  readonly timeline: string;
  /** `shown` is a duration with its unit, such as "3 minutes"; `count` is its number. */
  readonly behindLive: CountedMessage;
  /** Name of the choice of 1×, 1.5× and 2×. */
  readonly speed: string;
  readonly goToLive: string;
  readonly fromBeginning: string;
  /** The browser cannot play HLS. */
  readonly noRewind: string;
  readonly rewind_codec_unsupported: TitledMessage;
  readonly session_required: TitledMessage;
}

type BroadcasterFaults = Readonly<Record<CaptureErrorCode | BroadcasterRefusal, TitledMessage>>;

/** Messages of `<stream-broadcaster>`. */
export interface BroadcasterMessages extends SharedMessages, BroadcasterFaults {
  /** Name of the tag for screen readers. */
  readonly broadcaster: string;
  /** Title of a refusal without a message of its own. */
  readonly cannotBroadcast: string;
  readonly ready: TitledMessage;
  readonly allowDevices: string;
  readonly askingForDevices: string;
  readonly camera: string;
  readonly microphone: string;
  readonly turnOffCamera: string;
  readonly turnOnCamera: string;
  readonly cameraOff: string;
  /** In place of the picture while there is no camera and no screen. */
  readonly soundOnly: string;
  readonly turnOffMicrophone: string;
  readonly turnOnMicrophone: string;
  readonly microphoneLevel: string;
  readonly noSound: string;
  readonly cameraLost: TitledMessage;
  readonly microphoneLost: TitledMessage;
  readonly shareScreen: string;
  readonly stopSharingScreen: string;
  readonly screenEnded: string;
  /** After the page of a live broadcast was left, with the button `goOn`. */
  readonly wasLive: TitledMessage;
  readonly goOn: string;
  readonly goLive: string;
  readonly cancel: string;
  readonly stop: string;
  /** Name of the timer for screen readers. */
  readonly timeLive: string;
  readonly notReady: TitledMessage;
  /** The button that is pressed while the broadcast is recorded. */
  readonly record: string;
  readonly unrecord: string;
  /** Nothing is recorded although it should be, or a part was lost; the broadcast goes on. */
  readonly recordingFailed: TitledMessage;
  /** The codec is recorded, and viewers cannot go back in it. */
  readonly notRewindable: TitledMessage;
  readonly simulcast: string;
  /** Choices of `simulcast`, beside `automatic`. */
  readonly always: string;
  readonly never: string;
  readonly echoCancellation: string;
  readonly noiseSuppression: string;
  readonly gainControl: string;
  readonly health: string;
  readonly healthGood: string;
  /** The number is the height of the picture that viewers receive, such as 360. */
  readonly healthSlow: CountedMessage;
  readonly healthLossy: string;
  readonly healthBusy: string;
  readonly healthServer: string;
  readonly share: string;
  readonly viewerLink: string;
  readonly embedCode: string;
  readonly copy: string;
  readonly copied: string;
}

/** All messages of both tags. */
export interface Messages extends ViewerMessages, BroadcasterMessages, RewindMessages {}

/**
 * The message for a refusal or a failure.
 *
 * @param sentence the explanation of the server
 * @param title shown with `sentence` for a code without a message
 */
export function errorMessage(messages: SharedMessages, code: string, sentence: string, title: string): TitledMessage {
  const message = Object.hasOwn(messages, code) ? messages[code as keyof SharedMessages] : undefined;
  return typeof message === 'object' ? message : [title, sentence];
}
