import { StreamError, type CaptureErrorCode } from '../errors.js';
import { text } from '../unread.js';

/** The requested picture and sound. A device delivers the nearest values that it supports. */
export interface CaptureConstraints {
  /** Height of the picture in pixels; the width is 16/9 of it. `auto` leaves the size to the camera. Absent: 720. */
  readonly height?: number | 'auto' | undefined;
  /** In frames per second. Absent: 30. */
  readonly frameRate?: number | undefined;
  /** Absent, like the next two: the browser's default, which is on. */
  readonly echoCancellation?: boolean | undefined;
  readonly noiseSuppression?: boolean | undefined;
  readonly autoGainControl?: boolean | undefined;
}

/** Which devices to open. Absent: the browser's default. */
export interface CaptureOptions extends CaptureConstraints {
  readonly cameraId?: string | undefined;
  readonly microphoneId?: string | undefined;
}

export interface CaptureDevices {
  readonly cameras: readonly MediaDeviceInfo[];
  readonly microphones: readonly MediaDeviceInfo[];
}

/** A camera, a microphone or a screen could not be opened. `code` is the reason, `message` the browser's text. */
export class CaptureError extends StreamError {
  override name = 'CaptureError';

  /** @param message default: the message of `cause` */
  constructor(
    override readonly code: CaptureErrorCode,
    message?: string,
    cause?: unknown,
  ) {
    super(code, message ?? (text(cause, 'message') || code), { cause });
  }
}

/**
 * Opens the camera and the microphone, or the one of them that exists.
 *
 * @throws {CaptureError}
 */
export async function openCapture({
  cameraId,
  microphoneId,
  ...constraints
}: CaptureOptions = {}): Promise<MediaStream> {
  const { cameras, microphones } = await listDevices();
  if (cameras.length + microphones.length === 0) {
    throw new CaptureError('capture_no_device', 'No camera or microphone');
  }
  return open({
    video: cameras.length > 0 && { ...videoConstraints(constraints), ...exactly(cameraId) },
    audio: microphones.length > 0 && { ...audioConstraints(constraints), ...exactly(microphoneId) },
  });
}

/** Opens one device, to replace another one. @throws {CaptureError} */
export async function openTrack(
  kind: 'video' | 'audio',
  deviceId?: string,
  constraints: CaptureConstraints = {},
): Promise<MediaStreamTrack> {
  const wanted = (kind === 'video' ? videoConstraints : audioConstraints)(constraints);
  const media = await open({ [kind]: { ...wanted, ...exactly(deviceId) } });
  return media.getTracks()[0]!;
}

/** People need longer than this to answer a prompt. */
const FASTEST_ANSWER_MS = 200;

/**
 * Asks a person to choose a screen, a window or a tab, with its sound if the browser supports that.
 *
 * @returns undefined: they closed the prompt
 * @throws {CaptureError}
 */
export async function openScreen({ frameRate = 30 }: CaptureConstraints = {}): Promise<MediaStream | undefined> {
  const devices = mediaDevices();
  const startedAt = performance.now();
  try {
    const screen = await devices.getDisplayMedia({ video: { frameRate: { ideal: frameRate } }, audio: true });
    // With this hint, encoders keep text sharp and drop frames.
    for (const track of screen.getVideoTracks()) track.contentHint = 'detail';
    return screen;
  } catch (cause) {
    // A refusal by the person and a refusal by the permissions policy are the same error. Chromium reports the policy.
    // In other browsers, an error faster than any person can answer means that there was no prompt.
    const wasPrompted =
      performance.now() - startedAt > FASTEST_ANSWER_MS && policy()?.allowsFeature('display-capture') !== false;
    if (wasPrompted && text(cause, 'name') === 'NotAllowedError') return undefined;
    throw new CaptureError('capture_no_screen', undefined, cause);
  }
}

/** The devices that are plugged in. Labels and ids are empty until access was allowed once. @throws {CaptureError} */
export async function listDevices(): Promise<CaptureDevices> {
  const all = await mediaDevices().enumerateDevices();
  return {
    cameras: all.filter(({ kind }) => kind === 'videoinput'),
    microphones: all.filter(({ kind }) => kind === 'audioinput'),
  };
}

/** Whether camera and microphone open without a prompt. False if the browser does not report permissions. */
export async function captureAllowed(): Promise<boolean> {
  const answers = await Promise.all([devicePermission('camera'), devicePermission('microphone')]);
  return answers.every((answer) => answer === 'granted');
}

/** The permission of a device. Undefined: not reported by the browser. Safari reports `prompt` for an open camera. */
export async function devicePermission(device: 'camera' | 'microphone'): Promise<PermissionState | undefined> {
  try {
    return (await navigator.permissions.query({ name: device as PermissionName })).state;
  } catch {
    return undefined;
  }
}

/** `document.featurePolicy` of Chromium (https://github.com/w3c/webappsec-permissions-policy). */
const policy = (): { allowsFeature(name: string): boolean } | undefined => Object(document).featurePolicy;

const exactly = (deviceId?: string): MediaTrackConstraints => (deviceId ? { deviceId: { exact: deviceId } } : {});

/** The constraints of the camera. */
export function videoConstraints({ height = 720, frameRate = 30 }: CaptureConstraints): MediaTrackConstraints {
  const size = height !== 'auto' && { width: { ideal: Math.round((height * 16) / 9) }, height: { ideal: height } };
  return { ...size, frameRate: { ideal: frameRate } };
}

function audioConstraints({
  echoCancellation,
  noiseSuppression,
  autoGainControl,
}: CaptureConstraints): MediaTrackConstraints {
  // A browser treats an undefined member of a dictionary as missing (WebIDL).
  return { echoCancellation, noiseSuppression, autoGainControl } as MediaTrackConstraints;
}

async function open(constraints: MediaStreamConstraints): Promise<MediaStream> {
  try {
    return await mediaDevices().getUserMedia(constraints);
  } catch (cause) {
    throw captureError(cause);
  }
}

function mediaDevices(): MediaDevices {
  const devices = globalThis.navigator?.mediaDevices as MediaDevices | undefined;
  if (devices) return devices;
  // Browsers hide `mediaDevices` from pages that were loaded over plain http.
  if (!globalThis.isSecureContext) throw new CaptureError('capture_insecure', 'The page needs https or localhost');
  throw new CaptureError('capture_unsupported', 'The browser gives pages no camera');
}

/** Codes by the name of the browser's error. */
const CODES: Readonly<Record<string, CaptureErrorCode>> = {
  NotAllowedError: 'capture_denied',
  SecurityError: 'capture_denied',
  NotFoundError: 'capture_no_device',
  OverconstrainedError: 'capture_no_device',
  NotReadableError: 'capture_in_use',
  AbortError: 'capture_in_use',
};

/**
 * Any thrown value as a `CaptureError`: the code by the name of the error
 * (https://www.w3.org/TR/mediacapture-streams/#dom-mediadevices-getusermedia), with the browser's message. In Firefox and
 * Safari an OverconstrainedError is not a DOMException.
 */
export function captureError(cause: unknown): CaptureError {
  if (cause instanceof CaptureError) return cause;
  const code = CODES[text(cause, 'name') ?? ''] ?? 'capture_failed';
  return new CaptureError(code, undefined, cause);
}
