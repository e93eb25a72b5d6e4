import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { LevelMeterController } from '../../../../src/elements/broadcaster/devices/level-meter-controller.js';

/** What the microphone gives: the same in every sample. */
let volume = 0;
let state = 'running';

class FakeAudioContext {
  get state() {
    return state;
  }
  resume = () => Promise.reject(new Error('closed before it began'));
  close = () => Promise.resolve();
  createMediaStreamSource = () => ({ connect() {} });
  createAnalyser = () => ({
    fftSize: 0,
    getFloatTimeDomainData: (samples: Float32Array) => samples.fill(volume),
  });
}

describe('whether a microphone is heard', () => {
  const track = { enabled: true } as MediaStreamTrack;
  const levels: number[] = [];
  let updates = 0;
  let level: LevelMeterController;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
    Object.assign(globalThis, { AudioContext: FakeAudioContext, MediaStream: Object });
    [volume, state, track.enabled, updates] = [0, 'running', true, 0];
    levels.length = 0;
    const host = { addController() {}, removeController() {}, requestUpdate: () => updates++ };
    level = new LevelMeterController(
      { ...host, updateComplete: Promise.resolve(true) },
      () => track,
      (one) => levels.push(one),
    );
    level.hostUpdated();
  });

  afterEach(() => {
    level.hostDisconnected();
    mock.timers.reset();
    Reflect.deleteProperty(globalThis, 'AudioContext');
    Reflect.deleteProperty(globalThis, 'MediaStream');
  });

  it('is told ten times a second', () => {
    volume = 1;
    mock.timers.tick(300);
    assert.deepEqual(levels, [1, 1, 1]);
  });

  it('is doubted after eight seconds of nothing, once, and no more at the first sound', () => {
    mock.timers.tick(7_900);
    assert.deepEqual([level.isSilent, updates], [false, 0]);
    mock.timers.tick(2_000);
    assert.deepEqual([level.isSilent, updates], [true, 1]);
    volume = 0.01;
    mock.timers.tick(100);
    assert.deepEqual([level.isSilent, updates], [false, 2]);
  });

  it('is not doubted in a quiet room', () => {
    volume = 0.001;
    mock.timers.tick(20_000);
    assert.equal(level.isSilent, false);
  });

  it('is not doubted while it is muted', () => {
    track.enabled = false;
    mock.timers.tick(20_000);
    assert.equal(level.isSilent, false);
  });

  it('is not doubted where the page may not listen yet', () => {
    state = 'suspended';
    mock.timers.tick(20_000);
    assert.equal(level.isSilent, false);
  });

  it('is forgotten with the host', () => {
    mock.timers.tick(9_000);
    level.hostDisconnected();
    mock.timers.tick(1_000);
    assert.deepEqual([level.isSilent, levels.length], [false, 90]);
  });
});
