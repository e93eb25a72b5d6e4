import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { readGrant } from '../../src/client/authorization/director.js';
import { field, list, number, text, type Unread } from '../../src/client/unread.js';
import { readSource } from '../../src/client/viewer/sources.js';
import { streamGrant, type StreamGrant } from '../../src/wire/director/stream-grant.js';
import type { SuccessEnvelope } from '../../src/wire/envelope.js';
import { activeEvent } from '../../src/wire/websocket/stream-events.js';

/** A message with every kind of field. */
interface Message {
  readonly word: string;
  readonly count: number;
  readonly items: readonly { readonly word: string }[];
  readonly inner?: { readonly word: string };
}

const unread = (value: unknown) => value as Unread<Message>;
const grantIn = (answer: unknown) => readGrant(answer as Unread<SuccessEnvelope<StreamGrant>>);

/** Any JSON, and often JSON that is close to the shape. */
const near = (shape: Record<string, fc.Arbitrary<unknown>>) =>
  fc.oneof(fc.jsonValue(), fc.record(shape, { requiredKeys: [] }));
/** Objects as JSON.parse makes them. */
const PLAIN = { noNullPrototype: true };
const scalar = fc.oneof(fc.string(), fc.integer(), fc.constant(null));

describe('reading a message that nothing has checked', () => {
  it('returns a field of the right kind, and undefined for any other value', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.record({ word: scalar, count: scalar, items: scalar })), (value) => {
        const found = Object(value);
        assert.equal(text(unread(value), 'word'), typeof found.word === 'string' ? found.word : undefined);
        assert.equal(number(unread(value), 'count'), typeof found.count === 'number' ? found.count : undefined);
        assert.deepEqual(list(unread(value), 'items'), Array.isArray(found.items) ? found.items : []);
        assert.equal(field(unread(value), 'inner'), found.inner);
      }),
    );
  });

  it('is refused by the compiler where the message has no such field, or one of another kind', () => {
    const message = unread({ word: 'a', items: [{ word: 'b' }] });
    // @ts-expect-error no such field
    assert.equal(text(message, 'name'), undefined);
    // @ts-expect-error a field of another kind
    assert.equal(number(message, 'word'), undefined);
    // @ts-expect-error an item without such a field
    assert.equal(text(list(message, 'items')[0], 'count'), undefined);
    assert.equal(text(list(message, 'items')[0], 'word'), 'b');
    assert.equal(text(field(message, 'inner'), 'word'), undefined);
  });

  it('takes every grant that the schema takes, with the same values', () => {
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
        assert.deepEqual(grantIn(answer), { ...rest, iceServers, streamAccountId, tokenExpiresIn, view });
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes no grant without its required fields, and never throws', () => {
    const good = { status: 'success', data: { jwt: 'a.b.c', urls: ['ws://x'] } };
    assert.ok(grantIn(good));
    for (const bad of [
      { ...good, status: 'fail' },
      { ...good, data: { ...good.data, jwt: 7 } },
      { ...good, data: { ...good.data, urls: [] } },
    ]) {
      assert.equal(grantIn(bad), undefined);
    }
    assert.equal(grantIn({ ...good, data: { ...good.data, view: { events: [] } } })?.view, undefined);
    fc.assert(fc.property(fc.jsonValue(), (value) => void grantIn(value)));
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
