import { StreamError, type CaptureErrorCode } from './errors.js';

/** Which devices to take. Absent: the browser's choice. */
export interface CaptureChoice {
  readonly cameraId?: string | undefined;
  readonly microphoneId?: string | undefined;
}

export interface CaptureDevices {
  readonly cameras: readonly MediaDeviceInfo[];
  readonly microphones: readonly MediaDeviceInfo[];
}

/** Camera or microphone cannot be had. `code` tells what the person in front of them can do about it. */
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
export async function openCapture({ cameraId, microphoneId }: CaptureChoice = {}): Promise<MediaStream> {
  const { cameras, microphones } = await listDevices();
  if (cameras.length + microphones.length === 0) {
    throw new CaptureError('capture_no_device', 'No camera and no microphone found');
  }
  return open({
    video: cameras.length > 0 && videoFrom(cameraId),
    audio: microphones.length > 0 && audioFrom(microphoneId),
  });
}

/** Opens one device, to put it in the place of another. @throws {CaptureError} */
export async function openTrack(kind: 'video' | 'audio', deviceId?: string): Promise<MediaStreamTrack> {
  const media = await open(kind === 'video' ? { video: videoFrom(deviceId) } : { audio: audioFrom(deviceId) });
  return media.getTracks()[0]!;
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
  try {
    const answers = await Promise.all(
      (['camera', 'microphone'] as const).map((name) => navigator.permissions.query({ name: name as PermissionName })),
    );
    return answers.every(({ state }) => state === 'granted');
  } catch {
    return false;
  }
}

const exactly = (deviceId?: string): MediaTrackConstraints => (deviceId ? { deviceId: { exact: deviceId } } : {});

const audioFrom = exactly;

function videoFrom(deviceId?: string): MediaTrackConstraints {
  return { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 }, ...exactly(deviceId) };
}

async function open(constraints: MediaStreamConstraints): Promise<MediaStream> {
  try {
    return await mediaDevices().getUserMedia(constraints);
  } catch (cause) {
    throw cause instanceof CaptureError ? cause : captureError(cause);
  }
}

function mediaDevices(): MediaDevices {
  // Browsers hide `mediaDevices` from pages that came over plain http.
  const devices = globalThis.navigator?.mediaDevices as MediaDevices | undefined;
  if (devices) return devices;
  throw new CaptureError('capture_insecure', 'Camera and microphone need a page opened over https or on localhost');
}

/** Names: https://www.w3.org/TR/mediacapture-streams/#dom-mediadevices-getusermedia */
function captureError(cause: unknown): CaptureError {
  switch (cause instanceof DOMException ? cause.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return new CaptureError('capture_denied', 'Access to camera or microphone was denied', cause);
    case 'NotFoundError':
    case 'OverconstrainedError':
      return new CaptureError('capture_no_device', 'That camera or microphone is not there', cause);
    case 'NotReadableError':
    case 'AbortError':
      return new CaptureError('capture_in_use', 'Camera or microphone is in use by another program', cause);
    default:
      return new CaptureError('capture_failed', 'Camera or microphone could not be opened', cause);
  }
}
