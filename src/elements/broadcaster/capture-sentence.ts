import type { CaptureErrorCode } from '../../client/errors.js';

interface CaptureSentence {
  readonly title: string;
  readonly next: string;
}

const sentences: Readonly<Record<CaptureErrorCode, CaptureSentence>> = {
  capture_denied: {
    title: 'Camera and microphone are blocked',
    next: 'Allow them for this page in the address bar of your browser, then try again.',
  },
  capture_no_device: { title: 'No camera or microphone', next: 'Plug one in, then try again.' },
  capture_in_use: {
    title: 'Camera or microphone is busy',
    next: 'Close the program or tab that uses it, then try again.',
  },
  capture_insecure: {
    title: 'This page is not secure',
    next: 'Browsers give the camera only to pages that begin with https.',
  },
  capture_failed: { title: 'The camera did not start', next: 'Unplug it and plug it in again, or choose another.' },
};

/** What keeps the camera shut, and what to do about it. */
export function captureSentence(code: CaptureErrorCode): CaptureSentence {
  return sentences[code];
}
