import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { ReactiveControllerHost } from 'lit';
import type { Capture } from '../../../../src/elements/broadcaster/devices/capture.js';
import { CaptureController } from '../../../../src/elements/broadcaster/devices/capture-controller.js';
import {
  CAMERAS,
  FakeAudioContext,
  FakeDevices,
  FakeStream,
  FakeTrack,
  MICROPHONES,
} from '../../../support/client/fake-devices.js';

/** What people, the page and the browser do, in any order. */
type Step =
  | {
      readonly type: 'open' | 'close' | 'share' | 'stop-sharing' | 'echo' | 'size' | 'leave' | 'come' | 'move' | 'plug';
    }
  | { readonly type: 'choose'; readonly kind: 'video' | 'audio'; readonly id: string }
  | { readonly type: 'toggle'; readonly kind: 'video' | 'audio' }
  | { readonly type: 'give' | 'give-nothing' }
  | { readonly type: 'unplug'; readonly which: number };
/** A step, or the end of one pending operation of the browser. */
type Action = Step | { readonly type: 'pass' };

const kind = fc.constantFrom('video', 'audio');
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('pass') }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('open') }) },
  ...(
    ['close', 'share', 'stop-sharing', 'echo', 'size', 'plug', 'leave', 'come', 'move', 'give', 'give-nothing'] as const
  ).map((type) => ({ weight: 1, arbitrary: fc.record({ type: fc.constant(type) }) })),
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

/** Waits until only operations of the browser are pending. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

class Page {
  readonly devices: FakeDevices;
  readonly controller: CaptureController;
  readonly capture: Capture;
  readonly given = [new FakeTrack('video', 'given'), new FakeTrack('audio', 'given')];
  readonly errors: string[] = [];
  isConnected = true;
  isGiven = false;
  echoCancellation = true;
  height = 720;
  readonly #media = new FakeStream(this.given);

  /** @param wait resolves when a device has opened, or a track has been replaced */
  constructor(wait: (label: string) => Promise<unknown> = () => Promise.resolve()) {
    this.devices = new FakeDevices(wait);
    Object.defineProperty(navigator, 'mediaDevices', { value: this.devices, configurable: true });
    const host = Object.assign(Object.create(null), {
      addController() {},
      requestUpdate: () => queueMicrotask(() => this.isConnected && this.controller.hostUpdate()),
    });
    Object.defineProperty(host, 'isConnected', { get: () => this.isConnected });
    this.controller = new CaptureController(host as ReactiveControllerHost & HTMLElement, {
      given: () => (this.isGiven ? (this.#media as object as MediaStream) : undefined),
      constraints: () => ({ height: this.height, frameRate: 30, echoCancellation: this.echoCancellation }),
      onReplace: async () => void (await wait('replaces a track')),
      opensByItself: () => true,
      onKindsChange: () => {},
      onError: ({ code }) => this.errors.push(code),
    });
    this.capture = this.controller.capture;
    this.controller.hostConnected();
    this.controller.hostUpdate();
  }

  do(action: Step): unknown {
    const { capture, controller, devices } = this;
    switch (action.type) {
      case 'open':
        return capture.open();
      case 'close':
        return capture.close();
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
        return controller.hostUpdate();
      case 'size':
        this.height = 1080 - this.height + 360;
        return controller.hostUpdate();
      case 'give':
      case 'give-nothing':
        this.isGiven = action.type === 'give';
        return controller.hostUpdate();
      case 'unplug':
        return devices.live[action.which]?.unplug();
      case 'plug':
        return devices.dispatchEvent(new Event('devicechange'));
      case 'leave':
        this.isConnected = false;
        return controller.hostDisconnected();
      case 'come':
        this.isConnected = true;
        return controller.hostConnected();
      case 'move':
        controller.hostDisconnected();
        return this.isConnected ? controller.hostConnected() : undefined;
    }
  }

  /** Whether the track is sent, or will be when no screen is shared any more. */
  isShown(track: FakeTrack): boolean {
    if (track.isScreen) return this.capture.isSharing;
    return (this.capture.device(track.kind) as unknown) === track;
  }
}

const openIds = ({ capture }: Page): readonly unknown[] =>
  (['video', 'audio'] as const).map((one) => capture.device(one)?.getSettings().deviceId);

describe('camera, microphone and screen', () => {
  before(() => Object.assign(globalThis, { MediaStream: FakeStream, AudioContext: FakeAudioContext }));
  after(() => {
    for (const name of ['MediaStream', 'AudioContext']) Reflect.deleteProperty(globalThis, name);
    Reflect.deleteProperty(navigator, 'mediaDevices');
  });

  const property = (check: (page: Page, actions: readonly Action[]) => void) =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(action, { maxLength: 25 }), async (scheduler, actions) => {
        const page = new Page((label) => scheduler.schedule(Promise.resolve(), label));
        for (const one of actions) {
          if (one.type !== 'pass') page.do(one);
          else if (scheduler.count() > 0) await scheduler.waitOne();
          else await settled();
        }
        for (await settled(); scheduler.count() > 0; await settled()) await scheduler.waitOne();
        check(page, actions);
      }),
      { numRuns: 400 },
    );

  it('are sent or closed, whatever the order and the time in which they open', () =>
    property((page) => {
      const unsent = page.devices.live.filter((track) => !page.isShown(track));
      assert.deepEqual(
        unsent.map(({ id }) => id),
        [],
      );
      const pictures = page.devices.live.filter((track) => track.isScreen && track.kind === 'video');
      assert.ok(pictures.length <= 1, 'two screens');
    }));

  it('are closed while the tag is not in a page, or shows media of the page', () =>
    property((page) => {
      if (page.isConnected && !page.isGiven) return;
      assert.deepEqual(page.devices.live, []);
    }));

  it('are never open twice at a time, because phones cannot have two cameras open', () =>
    property((page) => assert.deepEqual(page.devices.faults, [])));

  it('do not change tracks of the page', () =>
    property(({ given }) => {
      for (const { readyState, constraints } of given) assert.deepEqual([readyState, constraints], ['live', {}]);
    }));

  it('have the audio constraints that were set last', () =>
    property((page) => {
      const microphone = page.devices.live.find((track) => track.kind === 'audio' && !track.isScreen);
      if (microphone) assert.equal(microphone.constraints.echoCancellation, page.echoCancellation);
    }));

  it('are those that were chosen last', () =>
    property((page, actions) => {
      for (const one of ['video', 'audio'] as const) {
        const last = actions.findLastIndex((step) => step.type === 'choose' && step.kind === one);
        const choice = actions[last];
        if (choice?.type !== 'choose') continue;
        if (actions.some(({ type }) => ['leave', 'give', 'close'].includes(type))) continue;
        if (actions.slice(last).some(({ type }) => ['open', 'unplug', 'plug', 'toggle', 'echo'].includes(type)))
          continue;
        const device = page.capture.device(one);
        assert.equal(device?.getSettings().deviceId, choice.id.endsWith('broken') ? undefined : choice.id);
      }
    }));

  it('are not opened for other constraints while media of the page is sent', async () => {
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

  it('stay muted when the person mutes while the microphone is opened again', async () => {
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

  it('ask for a screen in the same task as the click, and only once while the prompt of the browser is open', async () => {
    const requests: string[] = [];
    const page = new Page(async (label) => requests.push(label));
    for (let time = 1; time <= 2; time++) {
      page.do({ type: 'share' });
      page.do({ type: 'share' });
      assert.equal(requests.length, time);
      await settled();
      page.do({ type: 'stop-sharing' });
      await settled();
    }
  });

  it('report a device that could not be opened, unless another one was chosen meanwhile', async () => {
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

  it('are the ones that were chosen, when they were closed and are switched on again', async () => {
    const page = new Page();
    await page.do({ type: 'choose', kind: 'video', id: 'camera-2' });
    await page.do({ type: 'choose', kind: 'audio', id: 'microphone-2' });
    page.do({ type: 'close' });
    for (const one of ['video', 'audio'] as const) page.do({ type: 'toggle', kind: one });
    await settled();
    assert.deepEqual(openIds(page), ['camera-2', 'microphone-2']);
  });

  for (const type of ['toggle', 'open'] as const)
    it(`are others where the one that was lost is no longer plugged in: ${type}`, async () => {
      const page = new Page();
      await page.do({ type: 'choose', kind: 'video', id: 'camera-2' });
      await page.do({ type: 'choose', kind: 'audio', id: 'microphone-1' });
      page.devices.absent.add('camera-2');
      page.devices.live.find(({ id }) => id === 'camera-2')!.unplug();
      await settled();
      await page.do({ type, kind: 'video' });
      await settled();
      assert.deepEqual([page.errors, openIds(page)], [[], ['camera-1', 'microphone-1']]);
    });

  it('change again after the sound of a screen could not be mixed, which is said', async () => {
    const page = new Page();
    await page.do({ type: 'open' });
    class BrokenAudioContext extends FakeAudioContext {
      override createMediaStreamSource = () => {
        throw new DOMException('other sample rate', 'NotSupportedError');
      };
    }
    Object.assign(globalThis, { AudioContext: BrokenAudioContext });
    try {
      await page.do({ type: 'share' });
    } finally {
      Object.assign(globalThis, { AudioContext: FakeAudioContext });
    }
    const sent = () => ['video' as const, 'audio' as const].map((one) => page.capture.track(one)?.id);
    assert.deepEqual([page.errors, sent()], [['capture_failed'], ['screen', 'microphone-1']]);
    await page.do({ type: 'stop-sharing' });
    await page.do({ type: 'choose', kind: 'video', id: 'camera-2' });
    assert.deepEqual(sent(), ['camera-2', 'microphone-1']);
  });
});
