import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Rewind } from '../../../../server/recording/hls/rewind.js';
import { aPart, aRewindRecording, FakeRewindSource } from '../../../support/rewind-recording.js';

const groups = Array.from({ length: 40 }, (_, index) => ({ position: 100 + index, timestampMs: index * 2_000 }));
const recording = aRewindRecording({ parts: [aPart({ groups, durationMs: 80_000, bytes: 140 })] });

/** A packager that answers when the test says so. */
function slowPackager() {
  const asked: { readonly from: number; readonly answer: () => void }[] = [];
  const rewind = new Rewind({
    source: new FakeRewindSource(),
    packager: {
      initSegment: async () => Buffer.from('init'),
      segment: ({ from }) => {
        const { promise, resolve } = Promise.withResolvers<Buffer>();
        asked.push({ from, answer: () => resolve(Buffer.from(String(from))) });
        return promise;
      },
    },
  });
  return { asked, rewind };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const caller = (network: string, isGone = false) => ({ network, isGone: () => isGone });

describe('files of a recording', () => {
  it('are made for another network while one asks for many', async () => {
    const { asked, rewind } = slowPackager();
    const many = Array.from({ length: 30 }, (_, index) => rewind.file(recording, `1-${index}.m4s`, caller('many')));
    const last = rewind.file(recording, '1-35.m4s', caller('other'));
    await turn();
    assert.ok(asked.length < 10, `${asked.length} are made at once`);
    const own = asked.find(({ from }) => from === groups[35]!.position);
    assert.ok(own, 'the file of the other network is made');
    own.answer();
    assert.equal((await last).body.toString(), String(groups[35]!.position));
    for (let made = 0; made < asked.length; made += 1) {
      asked[made]!.answer();
      await turn();
    }
    assert.equal((await Promise.all(many)).length, 30);
  });

  it('are not made for callers who have gone, and at once if they are kept', async () => {
    const { asked, rewind } = slowPackager();
    const first = rewind.file(recording, '1-0.m4s', caller('a'));
    await assert.rejects(rewind.file(recording, '1-1.m4s', caller('a', true)));
    await turn();
    asked[0]!.answer();
    await first;
    const waiting = [1, 2, 3].map((index) => rewind.file(recording, `1-${index}.m4s`, caller('a')));
    await rewind.file(recording, '1-0.m4s', caller('a'));
    assert.equal(asked.length, 4);
    for (const { answer } of asked) answer();
    await Promise.all(waiting);
  });
});
