import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { CaptureError, openScreen, openTrack, videoConstraints } from '../../../src/client/broadcaster/capture.js';

describe('a device that cannot be opened', () => {
  afterEach(() => Reflect.deleteProperty(navigator, 'mediaDevices'));

  const codeOf = async (thrown: unknown): Promise<string> => {
    const mediaDevices = { getUserMedia: () => Promise.reject(thrown) };
    Object.defineProperty(navigator, 'mediaDevices', { value: mediaDevices, configurable: true });
    const error = await openTrack('video', 'some-camera').catch((error: unknown) => error);
    assert.ok(error instanceof CaptureError);
    assert.equal(error.cause, thrown);
    return error.code;
  };

  for (const [name, code] of [
    ['NotAllowedError', 'capture_denied'],
    ['SecurityError', 'capture_denied'],
    ['NotFoundError', 'capture_no_device'],
    ['NotReadableError', 'capture_in_use'],
    ['AbortError', 'capture_in_use'],
    ['InvalidStateError', 'capture_failed'],
  ] as const) {
    it(`is ${code} where the browser throws ${name}`, async () => {
      assert.equal(await codeOf(new DOMException('no', name)), code);
    });
  }

  it('is capture_no_device after an OverconstrainedError that is not a DOMException, as in Firefox', async () => {
    class OverconstrainedError {
      readonly name = 'OverconstrainedError';
      readonly constraint = 'deviceId';
    }
    assert.equal(await codeOf(new OverconstrainedError()), 'capture_no_device');
  });

  it('is capture_failed after any other error', async () => {
    for (const thrown of [undefined, null, 'no', {}, new Error('no')]) {
      assert.equal(await codeOf(thrown), 'capture_failed');
    }
  });

  for (const [page, isSecureContext, code] of [
    ['a page that was loaded over http', false, 'capture_insecure'],
    ['a secure page whose browser has no devices', true, 'capture_unsupported'],
  ] as const) {
    it(`is ${code} on ${page}`, async () => {
      Object.assign(globalThis, { isSecureContext });
      const error = await openTrack('video').catch((error: unknown) => error);
      Reflect.deleteProperty(globalThis, 'isSecureContext');
      assert.ok(error instanceof CaptureError);
      assert.equal(error.code, code);
    });
  }
});

describe('the constraints of a camera', () => {
  it('name a size of 16 to 9 and a frame rate', () => {
    assert.deepEqual(videoConstraints({ height: 1080, frameRate: 60 }), {
      width: { ideal: 1920 },
      height: { ideal: 1080 },
      frameRate: { ideal: 60 },
    });
    assert.deepEqual(videoConstraints({}).height, { ideal: 720 });
  });

  it('leave the size to the camera where the height is auto', () => {
    assert.deepEqual(videoConstraints({ height: 'auto' }), { frameRate: { ideal: 30 } });
  });
});

describe('openScreen', () => {
  let now: number;
  beforeEach(() => {
    now = 0;
    // Once in a test: a mock of a mock is not restored.
    mock.method(performance, 'now', () => now);
  });
  afterEach(() => {
    mock.restoreAll();
    Reflect.deleteProperty(navigator, 'mediaDevices');
    Reflect.deleteProperty(globalThis, 'document');
  });

  /** @param afterMs how long the browser takes to refuse */
  const refused = async (name: string, afterMs: number, isPermitted?: boolean): Promise<unknown> => {
    const mediaDevices = {
      getDisplayMedia() {
        now += afterMs;
        return Promise.reject(new DOMException('no', name));
      },
    };
    Object.defineProperty(navigator, 'mediaDevices', { value: mediaDevices, configurable: true });
    const featurePolicy = { allowsFeature: (feature: string) => isPermitted && feature === 'display-capture' };
    const document = isPermitted === undefined ? {} : { featurePolicy };
    Object.defineProperty(globalThis, 'document', { value: document, configurable: true });
    return openScreen().catch((error: unknown) => (error instanceof CaptureError ? error.code : error));
  };

  it('returns undefined where the person closed the prompt', async () => {
    assert.equal(await refused('NotAllowedError', 900), undefined);
    assert.equal(await refused('NotAllowedError', 900, true), undefined);
  });

  it('throws capture_no_screen after an immediate refusal, because the browser did not show its prompt', async () => {
    assert.equal(await refused('NotAllowedError', 5), 'capture_no_screen');
    assert.equal(await refused('NotAllowedError', 5, true), 'capture_no_screen');
  });

  it('throws capture_no_screen where the frame has no permission, however long the browser takes', async () => {
    assert.equal(await refused('NotAllowedError', 5_000, false), 'capture_no_screen');
  });

  for (const name of ['NotReadableError', 'NotFoundError', 'InvalidStateError', 'TypeError']) {
    it(`throws capture_no_screen where the browser throws ${name}`, async () => {
      assert.equal(await refused(name, 900), 'capture_no_screen');
    });
  }
});
