import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  CLOSED,
  nextDeviceState,
  tracksOf,
  type CaptureRequest,
  type DeviceEvent,
  type DeviceState,
} from '../../../../src/elements/broadcaster/devices/device-state.js';
import { FakeTrack } from '../../../support/client/fake-devices.js';

const request = (deviceId: string): CaptureRequest => ({ deviceId });
const track = (id: string): MediaStreamTrack => new FakeTrack('video', id) as object as MediaStreamTrack;

const requests = ['a', 'b', 'c'].map(request);
const tracks = ['a', 'b', 'c'].map(track);

const anyRequest = fc.constantFrom(...requests);
const anyTrack = fc.constantFrom(...tracks);
const anyEvent: fc.Arbitrary<DeviceEvent> = fc.oneof(
  fc.record({ type: fc.constantFrom('requested', 'released', 'failed'), request: anyRequest }),
  fc.record({
    type: fc.constant('opened'),
    request: anyRequest,
    tracks: anyTrack.map((one) => [one]),
    deviceId: fc.constantFrom('', 'a', 'b'),
  }),
  fc.record({ type: fc.constant('ended'), track: anyTrack, reason: fc.constantFrom('lost', 'capture_denied') }),
  fc.record({ type: fc.constant('closed') }),
);
const anyState = fc.array(anyEvent, { maxLength: 12 }).map((events) => after(...events));

const after = (...events: readonly DeviceEvent[]): DeviceState => events.reduce(nextDeviceState, CLOSED);
const opened = (one: MediaStreamTrack, by = requests[0]!): DeviceEvent[] => [
  { type: 'requested', request: by },
  { type: 'opened', request: by, tracks: [one], deviceId: 'a' },
];

describe('nextDeviceState', () => {
  it('is open when the requested device has opened', () => {
    assert.deepEqual(after(...opened(tracks[0]!)), { name: 'open', tracks: [tracks[0]], deviceId: 'a' });
  });

  it('is closed again when the first request fails', () => {
    assert.equal(
      after({ type: 'requested', request: requests[0]! }, { type: 'failed', request: requests[0]! }).name,
      'closed',
    );
  });

  it('loses a device that was released for another one that did not open', () => {
    const [, second] = requests as [CaptureRequest, CaptureRequest];
    const state = after(
      ...opened(tracks[0]!),
      { type: 'requested', request: second },
      { type: 'released', request: second },
      { type: 'failed', request: second },
    );
    assert.deepEqual(state, { name: 'lost', reason: 'lost', tracks: [tracks[0]], deviceId: 'a' });
  });

  it('loses a device whose track ended, and has the reason', () => {
    const state = after(...opened(tracks[0]!), { type: 'ended', track: tracks[0]!, reason: 'capture_denied' });
    assert.equal(state.name === 'lost' && state.reason, 'capture_denied');
  });

  it('stays opening when the previous device ends meanwhile', () => {
    const [, second] = requests as [CaptureRequest, CaptureRequest];
    const opening = [...opened(tracks[0]!), { type: 'requested', request: second } as const];
    assert.equal(after(...opening, { type: 'ended', track: tracks[0]!, reason: 'lost' }).name, 'opening');
  });

  it('ignores every request but the newest', () =>
    fc.assert(
      fc.property(anyState, anyRequest, anyEvent, (state, newest, event) => {
        const opening = nextDeviceState(state, { type: 'requested', request: newest });
        const isStale = 'request' in event && event.type !== 'requested' && event.request !== newest;
        if (isStale) assert.equal(nextDeviceState(opening, event), opening);
      }),
    ));

  it('returns to the state before a request that fails at once', () =>
    fc.assert(
      fc.property(anyState, anyRequest, (state, one) => {
        const failed = from(state, { type: 'requested', request: one }, { type: 'failed', request: one });
        assert.deepEqual(failed, state.name === 'opening' ? state.before : state);
      }),
    ));

  it('has only tracks that were opened, and none after it was closed', () =>
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 20 }), (events) => {
        const known = new Set(events.flatMap((event) => (event.type === 'opened' ? event.tracks : [])));
        for (const one of tracksOf(after(...events))) assert.ok(known.has(one));
        assert.deepEqual(tracksOf(after(...events, { type: 'closed' })), []);
      }),
    ));

  it('ignores the end of a track of another device', () =>
    fc.assert(
      fc.property(anyState, (state) => {
        const other = track('other');
        assert.equal(nextDeviceState(state, { type: 'ended', track: other, reason: 'lost' }), state);
      }),
    ));
});

const from = (state: DeviceState, ...events: readonly DeviceEvent[]): DeviceState =>
  events.reduce(nextDeviceState, state);
