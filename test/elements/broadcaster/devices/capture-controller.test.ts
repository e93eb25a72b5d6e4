import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { ReactiveControllerHost } from 'lit';
import { CaptureController } from '../../../../src/elements/broadcaster/devices/capture-controller.js';
import {
  CAMERAS,
  FakeAudioContext,
  FakeDevices,
  FakeStream,
  FakeTrack,
  MICROPHONES,
} from '../../../support/client/fake-devices.js';

/** What a person or a page does, and what a browser does, in any order. */
type Step =
  | { readonly type: 'open' | 'share' | 'stop-sharing' | 'echo' | 'size' | 'leave' | 'come' | 'move' | 'plug' }
  | { readonly type: 'choose'; readonly kind: 'video' | 'audio'; readonly id: string }
  | { readonly type: 'toggle'; readonly kind: 'video' | 'audio' }
  | { readonly type: 'give' | 'give-nothing' }
  | { readonly type: 'unplug'; readonly which: number };
/** Or something that was waited for is there. */
type Moment = Step | { readonly type: 'pass' };

const kind = fc.constantFrom('video', 'audio');
const moment: fc.Arbitrary<Moment> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('pass') }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('open') }) },
  ...(['share', 'stop-sharing', 'echo', 'size', 'plug', 'leave', 'come', 'move', 'give', 'give-nothing'] as const).map(
    (type) => ({ weight: 1, arbitrary: fc.record({ type: fc.constant(type) }) }),
  ),
  { weight: 1, arbitrary: fc.record({ type: fc.constant('toggle'), kind }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('unplug'), which: fc.nat(5) }) },
  {
    weight: 4,
    arbitrary: fc.oneof(
      fc.record({ type: fc.constant('choose'), kind: fc.constant('video'), id: fc.constantFrom(...CAMERAS) }),
      fc.record({ type: fc.constant('choose'), kind: fc.constant('audio'), id: fc.constantFrom(...MICROPHONES) }),
    ),
  },
);

/** Lets everything happen that waits for nothing else. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

class Page {
  readonly devices: FakeDevices;
  readonly capture: CaptureController;
  readonly given = [new FakeTrack('video', 'given'), new FakeTrack('audio', 'given')];
  readonly errors: string[] = [];
  isConnected = true;
  isGiven = false;
  echoCancellation = true;
  height = 720;
  readonly #media = new FakeStream(this.given);

  /** @param wait how long a device takes to open, or a track to be replaced */
  constructor(wait: (label: string) => Promise<unknown> = () => Promise.resolve()) {
    this.devices = new FakeDevices(wait);
    Object.defineProperty(navigator, 'mediaDevices', { value: this.devices, configurable: true });
    const host = Object.assign(Object.create(null), {
      addController() {},
      requestUpdate: () => queueMicrotask(() => this.isConnected && this.capture.hostUpdate()),
    });
    Object.defineProperty(host, 'isConnected', { get: () => this.isConnected });
    this.capture = new CaptureController(host as ReactiveControllerHost & HTMLElement, {
      given: () => (this.isGiven ? (this.#media as object as MediaStream) : undefined),
      wishes: () => ({ height: this.height, frameRate: 30, echoCancellation: this.echoCancellation }),
      onReplace: async () => void (await wait('replaces a track')),
      onKinds: () => {},
      onError: ({ code }) => this.errors.push(code),
    });
    this.capture.hostConnected();
    this.capture.hostUpdate();
  }

  do(action: Step): unknown {
    const { capture, devices } = this;
    switch (action.type) {
      case 'open':
        return capture.open();
      case 'choose':
        return capture.choose(action.kind, action.id);
      case 'toggle':
        return capture.toggle(action.kind);
      case 'share':
        return capture.shareScreen();
      case 'stop-sharing':
        return capture.stopScreen();
      case 'echo':
        this.echoCancellation = !this.echoCancellation;
        return capture.hostUpdate();
      case 'size':
        this.height = 1080 - this.height + 360;
        return capture.hostUpdate();
      case 'give':
      case 'give-nothing':
        this.isGiven = action.type === 'give';
        return capture.hostUpdate();
      case 'unplug':
        return devices.live[action.which]?.unplug();
      case 'plug':
        return devices.dispatchEvent(new Event('devicechange'));
      case 'leave':
        this.isConnected = false;
        return capture.hostDisconnected();
      case 'come':
        this.isConnected = true;
        return capture.hostConnected();
      case 'move':
        capture.hostDisconnected();
        return this.isConnected ? capture.hostConnected() : undefined;
    }
  }

  /** Whether somebody sees or hears this, or will when a screen is shared no more. */
  isShown(track: FakeTrack): boolean {
    if (track.isScreen) return this.capture.isSharing;
    return (this.capture.device(track.kind) as unknown) === track;
  }
}

describe('camera, microphone and screen', () => {
  before(() => Object.assign(globalThis, { MediaStream: FakeStream, AudioContext: FakeAudioContext }));
  after(() => {
    for (const name of ['MediaStream', 'AudioContext']) Reflect.deleteProperty(globalThis, name);
    Reflect.deleteProperty(navigator, 'mediaDevices');
  });

  const property = (check: (page: Page, moments: readonly Moment[]) => void) =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(moment, { maxLength: 25 }), async (scheduler, moments) => {
        const page = new Page((label) => scheduler.schedule(Promise.resolve(), label));
        for (const one of moments) {
          if (one.type !== 'pass') page.do(one);
          else if (scheduler.count() > 0) await scheduler.waitOne();
          else await settled();
        }
        for (await settled(); scheduler.count() > 0; await settled()) await scheduler.waitOne();
        check(page, moments);
      }),
      { numRuns: 400 },
    );

  it('are shown or off, in whatever order and however late they open', () =>
    property((page) => {
      const lost = page.devices.live.filter((track) => !page.isShown(track));
      assert.deepEqual(
        lost.map(({ id }) => id),
        [],
      );
      const pictures = page.devices.live.filter((track) => track.isScreen && track.kind === 'video');
      assert.ok(pictures.length <= 1, 'two screens');
    }));

  it('are off where the tag is on no page, or shows media of the page', () =>
    property((page) => {
      if (page.isConnected && !page.isGiven) return;
      assert.deepEqual(page.devices.live, []);
    }));

  it('are never open twice at a time: phones have one camera open', () =>
    property((page) => assert.deepEqual(page.devices.faults, [])));

  it('leave the tracks of the page as the page has them', () =>
    property(({ given }) => {
      for (const { readyState, constraints } of given) assert.deepEqual([readyState, constraints], ['live', {}]);
    }));

  it('sound as was wished for last', () =>
    property((page) => {
      const microphone = page.devices.live.find((track) => track.kind === 'audio' && !track.isScreen);
      if (microphone) assert.equal(microphone.constraints.echoCancellation, page.echoCancellation);
    }));

  it('are those that were chosen last', () =>
    property((page, moments) => {
      for (const one of ['video', 'audio'] as const) {
        const last = moments.findLastIndex((step) => step.type === 'choose' && step.kind === one);
        const choice = moments[last];
        if (choice?.type !== 'choose') continue;
        if (moments.some(({ type }) => type === 'leave' || type === 'give')) continue;
        if (moments.slice(last).some(({ type }) => ['open', 'unplug', 'plug', 'toggle', 'echo'].includes(type)))
          continue;
        const device = page.capture.device(one);
        assert.equal(device?.getSettings().deviceId, choice.id.endsWith('broken') ? undefined : choice.id);
      }
    }));

  it('are not opened for other sound while media of the page goes out', async () => {
    const page = new Page();
    page.do({ type: 'give' });
    await settled();
    for (const type of ['echo', 'size', 'open', 'share'] as const) page.do({ type });
    await settled();
    assert.deepEqual(page.devices.opened, []);
    assert.deepEqual(
      page.given.map(({ constraints, readyState }) => [constraints, readyState]),
      [
        [{}, 'live'],
        [{}, 'live'],
      ],
    );
  });

  it('stay muted when that was asked for while the microphone opened anew', async () => {
    const page = new Page();
    await page.do({ type: 'open' });
    const first = page.capture.device('audio');
    page.do({ type: 'echo' });
    page.do({ type: 'toggle', kind: 'audio' });
    await settled();
    const now = page.capture.device('audio');
    assert.notEqual(now, first);
    assert.deepEqual([now?.enabled, page.devices.live.length], [false, 2]);
  });

  it('ask for a screen within the click, and not a second time while the browser shows its list', async () => {
    const asked: string[] = [];
    const page = new Page(async (label) => asked.push(label));
    for (let time = 1; time <= 2; time++) {
      page.do({ type: 'share' });
      page.do({ type: 'share' });
      assert.equal(asked.length, time);
      await settled();
      page.do({ type: 'stop-sharing' });
      await settled();
    }
  });

  it('tell of what could not be opened, unless another was chosen meanwhile', async () => {
    const page = new Page();
    await Promise.all([
      page.do({ type: 'choose', kind: 'video', id: 'camera-broken' }),
      page.do({ type: 'choose', kind: 'video', id: 'camera-1' }),
    ]);
    assert.deepEqual([page.errors, page.capture.error], [[], undefined]);
    await page.do({ type: 'choose', kind: 'video', id: 'camera-broken' });
    assert.deepEqual([page.errors, page.capture.error?.code], [['capture_in_use'], 'capture_in_use']);
    assert.equal(page.capture.loss('video'), 'lost');
  });
});
