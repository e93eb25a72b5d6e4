import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { sendTemporalLayers } from '../../../src/client/connection/peer-connections.js';

interface SenderState {
  readonly mimeType?: string;
  readonly encodings?: readonly object[];
  readonly isRefused?: boolean;
}

/** A sender with what `setParameters` was called with, in order. */
function fakeSender({ mimeType, encodings = [{}], isRefused = false }: SenderState) {
  const asked: unknown[] = [];
  const sender = {
    getParameters: (): RTCRtpSendParameters => ({
      codecs: mimeType ? [{ mimeType, clockRate: 90_000, payloadType: 96 }] : [],
      encodings: encodings.map((encoding) => ({ ...encoding })),
      headerExtensions: [],
      rtcp: {},
      transactionId: '1',
    }),
    setParameters: async ({ encodings: wanted }: RTCRtpSendParameters) => {
      asked.push(wanted);
      if (isRefused) throw new DOMException('Not supported', 'OperationError');
    },
  };
  return { sender, asked };
}

/** What is asked of a sender in this state. */
async function askedOf(state: SenderState): Promise<unknown[]> {
  const { sender, asked } = fakeSender(state);
  sendTemporalLayers(sender);
  // A refusal that nobody handles would fail the test by now.
  await setImmediate();
  return asked;
}

describe('the temporal layers of a video', () => {
  it('are three with VP8, VP9 and AV1', async () => {
    for (const mimeType of ['video/VP8', 'video/VP9', 'video/AV1']) {
      assert.deepEqual(await askedOf({ mimeType }), [[{ scalabilityMode: 'L1T3' }]]);
    }
  });

  it('are three in every size of a simulcast, whose other parameters stay', async () => {
    const encodings = [{ rid: 'h', scalabilityMode: 'L1T1', maxBitrate: 300_000 }, { rid: 'f' }];
    assert.deepEqual(await askedOf({ mimeType: 'video/VP9', encodings }), [
      [
        { rid: 'h', scalabilityMode: 'L1T3', maxBitrate: 300_000 },
        { rid: 'f', scalabilityMode: 'L1T3' },
      ],
    ]);
  });

  it('are left to a browser that refuses them', async () => {
    assert.equal((await askedOf({ mimeType: 'video/VP8', isRefused: true })).length, 1);
  });

  it('are not asked for with H.264, and not before a codec is negotiated', async () => {
    assert.deepEqual(await askedOf({ mimeType: 'video/H264' }), []);
    assert.deepEqual(await askedOf({}), []);
  });
});
