import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { pino } from 'pino';
import type { AdmissionResult } from '../../../../server/admission/admission.js';
import { RtmpListener } from '../../../../server/ingest/rtmp/rtmp-listener.js';
import { Cleanup } from '../../../support/cleanup.js';
import { aGrant } from '../../../support/grant.js';
import { until } from '../../../support/media/until.js';
import { untilPublish, videoBytes } from '../../rtmp/fake-encoder.js';

/** H.264: the configuration, and a keyframe. */
const CONFIGURATION = videoBytes(0, Buffer.from('17000000000164002affe100056764002aac01000268ee', 'hex'));
const KEYFRAME = videoBytes(1_000, Buffer.from('1701000000000000026588', 'hex'));

describe('the listener for encoders', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  it('publishes nothing of an encoder that vanished before it was decided about', async () => {
    const decision = Promise.withResolvers<AdmissionResult>();
    let asked = 0;
    let opened = 0;
    const listener = await RtmpListener.open({
      host: '127.0.0.1',
      port: 0,
      certificates: undefined,
      admission: {
        admit() {
          asked += 1;
          return decision.promise;
        },
      },
      entrance: { requireOpen() {} },
      sessions: {
        openPublisher() {
          opened += 1;
          throw new Error('nobody is there');
        },
      },
      transcoders: { openOpusTranscoder: undefined, openPictureTranscoder: undefined },
      log: pino({ enabled: false }),
    });
    cleanup.after(() => listener.close());
    const socket = connect(listener.port, '127.0.0.1');
    cleanup.after(() => socket.destroy());
    socket.resume().write(Buffer.concat([untilPublish('main?token=a'), CONFIGURATION, KEYFRAME]));
    await until('it is decided about', () => asked === 1);
    socket.end();
    await once(socket, 'close');
    await until('the server has no connection', () => listener.connections === 0);
    decision.resolve({ admitted: true, token: undefined, grant: aGrant({ role: 'Publish', tokenId: 7 }) });
    await new Promise(setImmediate);
    assert.equal(opened, 0);
  });

  it('ends the oldest connection of the network that has the most, when too many do not publish', async () => {
    const listener = await RtmpListener.open({
      host: '127.0.0.1',
      port: 0,
      certificates: undefined,
      admission: { admit: () => Promise.reject(new Error('nobody publishes')) },
      entrance: { requireOpen() {} },
      sessions: {
        openPublisher() {
          throw new Error('nobody publishes');
        },
      },
      transcoders: { openOpusTranscoder: undefined, openPictureTranscoder: undefined },
      log: pino({ enabled: false }),
    });
    cleanup.after(() => listener.close());
    const ended: string[] = [];
    const open = async (name: string, localAddress: string) => {
      const socket = connect({ port: listener.port, host: '127.0.0.1', localAddress });
      cleanup.after(() => socket.destroy());
      socket.on('error', () => {});
      socket.on('close', () => ended.push(name));
      socket.resume();
      await once(socket, 'connect');
      socket.write(Buffer.alloc(100, 3));
    };
    await open('slow encoder', '127.1.0.1');
    for (let number = 0; number < 502; number += 1) await open(`flood ${number}`, `127.0.0.${1 + (number % 200)}`);
    await until('what is too much is ended', () => ended.length === 3);
    assert.deepEqual(ended, ['flood 0', 'flood 1', 'flood 2']);
  });
});
