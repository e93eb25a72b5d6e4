import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { streamIdOf } from '../../../server/streams/stream-id.js';
import { NO_RELAYED_STREAMS, StreamPlaces, type RelayedStreams } from '../../../server/streams/stream-places.js';
import type { StreamElsewhere } from '../../../server/streams/streams-elsewhere.js';

const OWN = 'https://own.example.com';
const OTHER = 'https://other.example.com';
const STREAM = streamIdOf('acme', 'main');

describe('the place of a stream', () => {
  const places = (url: string | undefined | null, relayed: RelayedStreams = NO_RELAYED_STREAMS) => {
    const there: StreamElsewhere = {
      streamId: STREAM,
      node: { id: 'other', epoch: 1 },
      url: url ?? undefined,
      live: true,
      liveSince: 1,
      publishers: [],
      sources: [],
    };
    const elsewhere = () => (url === null ? undefined : there);
    return new StreamPlaces({ streams: { elsewhere }, nodeUrl: OWN, isShared: true, relayed });
  };

  it('is here for everybody if no other server has it, or clients cannot tell that one from this', () => {
    for (const url of [null, undefined, OWN]) {
      const here = places(url);
      assert.deepEqual(
        [
          here.elsewhere(STREAM),
          here.elsewhereForViewers(STREAM),
          here.placeOf('Publish', STREAM),
          here.placeOf('Subscribe', STREAM),
        ],
        [undefined, undefined, undefined, undefined],
      );
    }
  });

  it('is at the server that has it', () => {
    const there = places(OTHER);
    assert.deepEqual(
      [
        there.elsewhere(STREAM),
        there.elsewhereForViewers(STREAM),
        there.placeOf('Publish', STREAM),
        there.placeOf('Subscribe', STREAM),
      ],
      [OTHER, OTHER, OTHER, OTHER],
    );
  });

  it('is here for viewers if it is relayed, which is prepared for each who is about to connect', () => {
    const prepared: string[] = [];
    const relayed = places(OTHER, { serves: () => true, prepare: (streamId) => void prepared.push(streamId) });
    assert.deepEqual([relayed.elsewhere(STREAM), relayed.elsewhereForViewers(STREAM)], [OTHER, undefined]);
    assert.equal(relayed.placeOf('Publish', STREAM), OTHER);
    assert.deepEqual(prepared, []);
    assert.equal(relayed.placeOf('Subscribe', STREAM), undefined);
    assert.deepEqual(prepared, [STREAM]);
  });

  it('is what grants are for where several servers are on the database', () => {
    const of = (isShared: boolean) => {
      const streams = { elsewhere: () => undefined };
      return new StreamPlaces({ streams, nodeUrl: OWN, isShared, relayed: NO_RELAYED_STREAMS }).grantNode;
    };
    assert.deepEqual([of(true), of(false)], [OWN, undefined]);
  });
});
