import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { CaptureError, openTrack } from '../../src/client/capture.js';

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
    it(`is ${code} where the browser says ${name}`, async () => {
      assert.equal(await codeOf(new DOMException('no', name)), code);
    });
  }

  it('is capture_no_device where it is not that one, which Firefox tells by an error that is no DOMException', async () => {
    class OverconstrainedError {
      readonly name = 'OverconstrainedError';
      readonly constraint = 'deviceId';
    }
    assert.equal(await codeOf(new OverconstrainedError()), 'capture_no_device');
  });

  it('is capture_failed whatever else is thrown', async () => {
    for (const thrown of [undefined, null, 'no', {}, new Error('no')]) {
      assert.equal(await codeOf(thrown), 'capture_failed');
    }
  });
});
