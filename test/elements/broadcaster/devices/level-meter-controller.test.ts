import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import {
  LevelMeterController,
  meterLevel,
} from '../../../../src/elements/broadcaster/devices/level-meter-controller.js';

/** The value of every sample of the microphone. */
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

describe('the level meter', () => {
  const track = { enabled: true } as MediaStreamTrack;
  /** Undefined: the microphone is lost. */
  let current: MediaStreamTrack | undefined;
  const levels: number[] = [];
  let updates = 0;
  let level: LevelMeterController;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
    Object.assign(globalThis, { AudioContext: FakeAudioContext, MediaStream: Object });
    [volume, state, track.enabled, updates] = [0, 'running', true, 0];
    levels.length = 0;
    current = track;
    const host = { addController() {}, removeController() {}, requestUpdate: () => updates++ };
    level = new LevelMeterController(
      { ...host, updateComplete: Promise.resolve(true) },
      () => current,
      (one) => levels.push(one),
    );
    level.hostUpdate();
  });

  afterEach(() => {
    level.hostDisconnected();
    mock.timers.reset();
    Reflect.deleteProperty(globalThis, 'AudioContext');
    Reflect.deleteProperty(globalThis, 'MediaStream');
  });

  it('shows a level ten times a second', () => {
    volume = 1;
    mock.timers.tick(300);
    assert.deepEqual(levels, [1, 1, 1]);
  });

  it('falls to nothing when the microphone is lost', () => {
    volume = 1;
    mock.timers.tick(100);
    current = undefined;
    level.hostUpdate();
    level.hostUpdate();
    assert.deepEqual(levels, [1, 0]);
  });

  it('reports no silence of a microphone that is lost, in the update that shows the loss', () => {
    mock.timers.tick(8_100);
    assert.equal(level.isSilent, true);
    current = undefined;
    level.hostUpdate();
    assert.equal(level.isSilent, false);
  });

  it('reports silence after eight seconds, once, until the first sound', () => {
    mock.timers.tick(7_900);
    assert.deepEqual([level.isSilent, updates], [false, 0]);
    mock.timers.tick(2_000);
    assert.deepEqual([level.isSilent, updates], [true, 1]);
    volume = 0.01;
    mock.timers.tick(100);
    assert.deepEqual([level.isSilent, updates], [false, 2]);
  });

  it('reports no silence in a quiet room', () => {
    volume = 0.001;
    mock.timers.tick(20_000);
    assert.equal(level.isSilent, false);
  });

  it('reports no silence while the microphone is muted', () => {
    track.enabled = false;
    mock.timers.tick(20_000);
    assert.equal(level.isSilent, false);
  });

  it('reports no silence while the audio context is suspended', () => {
    state = 'suspended';
    mock.timers.tick(20_000);
    assert.equal(level.isSilent, false);
  });

  it('stops with its host', () => {
    mock.timers.tick(9_000);
    level.hostDisconnected();
    mock.timers.tick(1_000);
    // And one that shows nothing.
    assert.deepEqual([level.isSilent, levels.length], [false, 91]);
  });
});

describe('meterLevel', () => {
  it('goes from 0 at -60 dB to 1 at full volume, and never beyond', () => {
    assert.deepEqual([0, 0.000_1, 0.001, 1, 3].map(meterLevel), [0, 0, 0, 1, 1]);
  });

  it('is half at -30 dB, because people hear logarithmically', () => {
    assert.ok(Math.abs(meterLevel(10 ** -1.5) - 0.5) < 1e-9);
  });
});
