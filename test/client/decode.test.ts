import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { readGrant } from '../../src/client/authorization/director.js';
import { field, list, number, text } from '../../src/client/decode.js';
import { readSource } from '../../src/client/viewer/sources.js';
import { streamGrant } from '../../src/wire/director/stream-grant.js';
import { activeEvent } from '../../src/wire/websocket/stream-events.js';

/** Anything that JSON can say, and often something near to what is looked for. */
const near = (shape: Record<string, fc.Arbitrary<unknown>>) =>
  fc.oneof(fc.jsonValue(), fc.record(shape, { requiredKeys: [] }));
/** As JSON.parse makes objects. */
const PLAIN = { noNullPrototype: true };
const scalar = fc.oneof(fc.string(), fc.integer(), fc.constant(null));

describe('reading what came over the wire', () => {
  it('finds what is there and of the kind, and nothing else, in whatever came', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, name) => {
        const found = field(value, name);
        assert.equal(text(value, name), typeof found === 'string' ? found : undefined);
        assert.equal(number(value, name), typeof found === 'number' ? found : undefined);
        assert.deepEqual(list(value, name), Array.isArray(found) ? found : []);
      }),
    );
  });

  it('takes every grant that the schema takes, and for the same', () => {
    const event = fc.record({ name: fc.string() }, PLAIN);
    const data = near({
      jwt: scalar,
      urls: fc.array(fc.string(), { minLength: 1 }),
      iceServers: fc.array(fc.jsonValue()),
      streamAccountId: scalar,
      tokenExpiresIn: scalar,
      view: fc.record({ sdp: fc.string(), resumeToken: fc.string(), events: fc.array(event) }, PLAIN),
    });
    const body = near({ status: fc.constantFrom('success', 'fail'), data });
    fc.assert(
      fc.property(body, (answer) => {
        const granted = streamGrant.safeParse(answer).data?.data;
        if (!granted?.urls.length) return;
        const { iceServers = [], streamAccountId, tokenExpiresIn, view, ...rest } = granted;
        assert.deepEqual(readGrant(answer), { ...rest, iceServers, streamAccountId, tokenExpiresIn, view });
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes no grant without its parts, and never throws', () => {
    const good = { status: 'success', data: { jwt: 'a.b.c', urls: ['ws://x'] } };
    assert.ok(readGrant(good));
    for (const bad of [
      { ...good, status: 'fail' },
      { ...good, data: { ...good.data, jwt: 7 } },
      { ...good, data: { ...good.data, urls: [] } },
    ]) {
      assert.equal(readGrant(bad), undefined);
    }
    assert.equal(readGrant({ ...good, data: { ...good.data, view: { events: [] } } })?.view, undefined);
    fc.assert(fc.property(fc.jsonValue(), (value) => void readGrant(value)));
  });

  it('reads the tracks of an event as the schema does', () => {
    const track = fc.record({ trackId: fc.string(), media: fc.constantFrom('audio', 'video') });
    fc.assert(
      fc.property(near({ tracks: fc.array(track), sourceId: scalar }), (data) => {
        const event = activeEvent.safeParse(data).data;
        if (!event) return;
        const { kinds } = readSource(data);
        assert.deepEqual(kinds, event.tracks?.map(({ media }) => media) ?? ['audio', 'video']);
      }),
    );
  });
});
