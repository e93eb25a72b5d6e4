import { StreamError, type CaptureErrorCode } from '../errors.js';
import { text } from '../unread.js';

/** What picture and sound to ask the devices for. They give what comes nearest. */
export interface CaptureConstraints {
  /** Of the picture, in pixels; its width follows, 16 to 9. Absent: 720. */
  readonly height?: number | undefined;
  /** Absent: 30. */
  readonly frameRate?: number | undefined;
  /** These three absent: the browser's choice, which is on. */
  readonly echoCancellation?: boolean | undefined;
  readonly noiseSuppression?: boolean | undefined;
  readonly autoGainControl?: boolean | undefined;
}

/** Which devices to take. Absent: the browser's choice. */
export interface CaptureOptions extends CaptureConstraints {
  readonly cameraId?: string | undefined;
  readonly microphoneId?: string | undefined;
}

export interface CaptureDevices {
  readonly cameras: readonly MediaDeviceInfo[];
  readonly microphones: readonly MediaDeviceInfo[];
}

/** Camera, microphone or screen cannot be had. `code` tells what the person in front of them can do about it. */
export class CaptureError extends StreamError {
  override name = 'CaptureError';

  constructor(
    override readonly code: CaptureErrorCode,
    message: string,
    cause?: unknown,
  ) {
    super(code, message, { cause });
  }
}

/**
 * Opens camera and microphone; on a machine that has only one of them, that one.
 *
 * @throws {CaptureError}
 */
export async function openCapture({ cameraId, microphoneId, ...wishes }: CaptureOptions = {}): Promise<MediaStream> {
  const { cameras, microphones } = await listDevices();
  if (cameras.length + microphones.length === 0) {
    throw new CaptureError('capture_no_device', 'No such camera or microphone');
  }
  return open({
    video: cameras.length > 0 && { ...videoConstraints(wishes), ...exactly(cameraId) },
    audio: microphones.length > 0 && { ...soundOf(wishes), ...exactly(microphoneId) },
  });
}

/** Opens one device, to put it in the place of another. @throws {CaptureError} */
export async function openTrack(
  kind: 'video' | 'audio',
  deviceId?: string,
  wishes: CaptureConstraints = {},
): Promise<MediaStreamTrack> {
  const constraints = { ...(kind === 'video' ? videoConstraints : soundOf)(wishes), ...exactly(deviceId) };
  const media = await open({ [kind]: constraints });
  return media.getTracks()[0]!;
}

/** Nobody reads a question and answers it faster than this. */
const HUMAN_MS = 200;

/**
 * Lets the person choose a screen, a window or a tab, with its sound where the browser can.
 *
 * @returns undefined: they changed their mind
 * @throws {CaptureError}
 */
export async function openScreen({ frameRate = 30 }: CaptureConstraints = {}): Promise<MediaStream | undefined> {
  const devices = mediaDevices();
  const asked = performance.now();
  try {
    const screen = await devices.getDisplayMedia({ video: { frameRate: { ideal: frameRate } }, audio: true });
    // Sharp letters before smooth motion: encoders take a screen for a film otherwise.
    for (const track of screen.getVideoTracks()) track.contentHint = 'detail';
    return screen;
  } catch (cause) {
    // A person's no and that of a frame without leave are the same error. Only Chromium tells which it was; in other
    // browsers a no that comes faster than a person can answer shows that nobody was asked.
    const wasAsked = performance.now() - asked > HUMAN_MS && policy()?.allowsFeature('display-capture') !== false;
    if (wasAsked && text(cause, 'name') === 'NotAllowedError') return undefined;
    throw new CaptureError(
      'capture_no_screen',
      'No screen is shared with this page. A frame needs allow="display-capture"',
      cause,
    );
  }
}

/** What is there now. Labels and ids are empty until access was allowed once. @throws {CaptureError} */
export async function listDevices(): Promise<CaptureDevices> {
  const all = await mediaDevices().enumerateDevices();
  return {
    cameras: all.filter(({ kind }) => kind === 'videoinput'),
    microphones: all.filter(({ kind }) => kind === 'audioinput'),
  };
}

/** Whether camera and microphone open without a question to the person. Browsers that do not tell: false. */
export async function captureAllowed(): Promise<boolean> {
  const answers = await Promise.all([devicePermission('camera'), devicePermission('microphone')]);
  return answers.every((answer) => answer === 'granted');
}

/** What a person said to it. Undefined: the browser does not tell. Safari says `prompt` of a camera that is open. */
export async function devicePermission(device: 'camera' | 'microphone'): Promise<PermissionState | undefined> {
  try {
    return (await navigator.permissions.query({ name: device as PermissionName })).state;
  } catch {
    return undefined;
  }
}

/** https://github.com/w3c/webappsec-permissions-policy: `document.featurePolicy`, in Chromium alone. */
const policy = (): { allowsFeature(name: string): boolean } | undefined => Object(document).featurePolicy;

const exactly = (deviceId?: string): MediaTrackConstraints => (deviceId ? { deviceId: { exact: deviceId } } : {});

/** What a camera is asked for. */
export function videoConstraints({ height = 720, frameRate = 30 }: CaptureConstraints): MediaTrackConstraints {
  return {
    width: { ideal: Math.round((height * 16) / 9) },
    height: { ideal: height },
    frameRate: { ideal: frameRate },
  };
}

function soundOf({ echoCancellation, noiseSuppression, autoGainControl }: CaptureConstraints): MediaTrackConstraints {
  // What is undefined in a dictionary is not there for the browser (WebIDL).
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
  // Browsers hide `mediaDevices` from pages that came over plain http.
  const devices = globalThis.navigator?.mediaDevices as MediaDevices | undefined;
  if (devices) return devices;
  throw new CaptureError('capture_insecure', 'Camera and microphone need a page opened over https or on localhost');
}

/**
 * Whatever was thrown, as an error of this package. Names: https://www.w3.org/TR/mediacapture-streams/#dom-mediadevices-getusermedia.
 * Not everything with a name is a DOMException: an OverconstrainedError is none in Firefox and Safari.
 */
export function captureError(cause: unknown): CaptureError {
  if (cause instanceof CaptureError) return cause;
  switch (text(cause, 'name')) {
    case 'NotAllowedError':
    case 'SecurityError':
      return new CaptureError('capture_denied', 'Access to camera or microphone was denied', cause);
    case 'NotFoundError':
    case 'OverconstrainedError':
      return new CaptureError('capture_no_device', 'No such camera or microphone', cause);
    case 'NotReadableError':
    case 'AbortError':
      return new CaptureError('capture_in_use', 'Camera or microphone is in use by another program', cause);
    default:
      return new CaptureError('capture_failed', 'Camera or microphone could not be opened', cause);
  }
}
