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
  readonly label: string;
  readonly count: number;
  readonly items: readonly { readonly label: string }[];
  readonly inner?: { readonly label: string };
}

const unread = (value: unknown) => value as Unread<Message>;
const grantIn = (answer: unknown) => readGrant(answer as Unread<SuccessEnvelope<StreamGrant>>);

/** Any JSON, and often JSON that is close to the shape. */
const near = (shape: Record<string, fc.Arbitrary<unknown>>) =>
  fc.oneof(fc.jsonValue(), fc.record(shape, { requiredKeys: [] }));
/** Objects as JSON.parse makes them. */
const PLAIN = { noNullPrototype: true };
const scalar = fc.oneof(fc.string(), fc.integer(), fc.constant(null));

describe('an unread message', () => {
  it('has each field of the right kind, and undefined for any other value', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.record({ label: scalar, count: scalar, items: scalar })), (value) => {
        const found = Object(value);
        assert.equal(text(unread(value), 'label'), typeof found.label === 'string' ? found.label : undefined);
        assert.equal(number(unread(value), 'count'), typeof found.count === 'number' ? found.count : undefined);
        assert.deepEqual(list(unread(value), 'items'), Array.isArray(found.items) ? found.items : []);
        assert.equal(field(unread(value), 'inner'), found.inner);
      }),
    );
  });

  it('does not compile where the message has no such field, or one of another kind', () => {
    const message = unread({ label: 'a', items: [{ label: 'b' }] });
    // @ts-expect-error no such field
    assert.equal(text(message, 'name'), undefined);
    // @ts-expect-error a field of another kind
    assert.equal(number(message, 'label'), undefined);
    // @ts-expect-error an item without such a field
    assert.equal(text(list(message, 'items')[0], 'count'), undefined);
    assert.equal(text(list(message, 'items')[0], 'label'), 'b');
    assert.equal(text(field(message, 'inner'), 'label'), undefined);
  });

  it('is a grant wherever the schema accepts it, with the same values', () => {
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
        const { iceServers = [], streamAccountId, tokenExpiresIn, view, record, ...rest } = granted;
        assert.deepEqual(grantIn(answer), { ...rest, iceServers, streamAccountId, tokenExpiresIn, view, record });
      }),
      { numRuns: 2_000 },
    );
  });

  it('is not a grant without the required fields, and reading it never throws', () => {
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

  it('has the tracks of an event that the schema reads', () => {
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
