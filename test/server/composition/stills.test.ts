import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Keyframe } from '../../../server/media/engine/media-track.js';
import { LONGEST_LIFE_MS, Stills, STILL_LIFE_MS } from '../../../server/composition/stills.js';
import { until } from '../../support/media/until.js';
import { streamIdOf } from '../../../server/streams/stream-id.js';

const keyframe = (byte: number): Keyframe => ({ codec: 'vp8', data: Buffer.of(byte), width: 320, height: 180 });

describe('pictures of streams', () => {
  let now: number;
  let asked: string[];
  let answers: (Keyframe | undefined | Error)[];
  let stills: Stills;

  beforeEach(() => {
    now = 0;
    asked = [];
    answers = [];
    const engine = {
      async keyframe(stream: string, sourceId: string | null) {
        asked.push(`${stream} ${sourceId}`);
        const answer = answers.shift();
        if (answer instanceof Error) throw answer;
        return answer;
      },
    };
    stills = new Stills({ engine, now: () => now });
  });

  /** The last byte of the picture: of the keyframe, before the padding. */
  const byteOf = async (sourceId: string | null = null) =>
    (await stills.get(streamIdOf('main', 'a'), sourceId))?.bytes.at(-2);

  it('are kept for some seconds', async () => {
    answers = [keyframe(1), keyframe(2)];
    assert.equal(await byteOf(), 1);
    now = STILL_LIFE_MS - 1;
    assert.equal(await byteOf(), 1);
    now = STILL_LIFE_MS;
    assert.equal(await byteOf(), 2);
    assert.equal(asked.length, 2);
  });

  it('are kept for longer for callers who accept older ones', async () => {
    answers = [keyframe(1), keyframe(2), keyframe(3)];
    assert.equal(await byteOf(), 1);
    now = LONGEST_LIFE_MS - 1;
    assert.equal((await stills.get(streamIdOf('main', 'a'), null, LONGEST_LIFE_MS))?.bytes.at(-2), 1);
    assert.equal(await byteOf(), 2);
    now += LONGEST_LIFE_MS;
    assert.equal((await stills.get(streamIdOf('main', 'a'), null, LONGEST_LIFE_MS))?.bytes.at(-2), 3);
  });

  it('are the same for callers at the same time', async () => {
    answers = [keyframe(1)];
    assert.deepEqual(await Promise.all([byteOf(), byteOf(), byteOf()]), [1, 1, 1]);
    assert.equal(asked.length, 1);
  });

  it('are of each source', async () => {
    answers = [keyframe(1), keyframe(2)];
    assert.deepEqual([await byteOf(), await byteOf('camera'), await byteOf()], [1, 2, 1]);
    assert.deepEqual(asked, ['main/a null', 'main/a camera']);
  });

  it('that do not exist are not asked for again and again', async () => {
    answers = [undefined, keyframe(1)];
    assert.deepEqual([await byteOf(), await byteOf()], [undefined, undefined]);
    now = STILL_LIFE_MS;
    assert.equal((await stills.get(streamIdOf('main', 'a'), null, LONGEST_LIFE_MS))?.bytes.at(-2), 1);
  });

  it('are asked for again after a failure', async () => {
    answers = [new Error('away'), keyframe(1)];
    await assert.rejects(stills.get(streamIdOf('main', 'a'), null), /away/);
    assert.equal(await byteOf(), 1);
  });

  describe('as JPEG', () => {
    let converted: number;
    let fails: boolean;

    beforeEach(() => {
      [converted, fails] = [0, false];
      const engine = { keyframe: async () => answers.shift() as Keyframe };
      const jpegOf = async () => {
        converted += 1;
        if (fails) throw new Error('ffmpeg ended');
        return Buffer.of(converted);
      };
      stills = new Stills({ engine, now: () => now, jpegOf });
    });

    it('are made once of each picture', async () => {
      answers = [keyframe(1), keyframe(2)];
      const ask = async () => (await stills.getJpeg(streamIdOf('main', 'a'), null))?.[0];
      assert.deepEqual(await Promise.all([ask(), ask()]), [1, 1]);
      now = STILL_LIFE_MS;
      assert.equal(await ask(), 2);
    });

    it('are made for others while one account asks for those of many streams', async () => {
      const running: string[] = [];
      let begun = 0;
      const jpegOf = async ({ bytes }: { bytes: Buffer }) => {
        running.push(String(bytes.at(-2)));
        begun += 1;
        await new Promise(() => {});
        return bytes;
      };
      let next = 0;
      stills = new Stills({ engine: { keyframe: async () => keyframe((next += 1)) }, now: () => now, jpegOf });
      for (let stream = 0; stream < 9; stream += 1) void stills.getJpeg(streamIdOf('main', `s${stream}`), null);
      await until('those of the account are made', () => next === 9 && begun > 0);
      void stills.getJpeg(streamIdOf('other', 'one'), null);
      await until('that of the other one is made too', () => running.includes('10'));
      assert.equal(running.length, 3);
    });

    it('are not made where there is no picture', async () => {
      answers = [];
      assert.equal(await stills.getJpeg(streamIdOf('main', 'a'), null), undefined);
      assert.equal(converted, 0);
    });

    it('are refused if they cannot be made, and the picture itself is still given', async () => {
      answers = [keyframe(1)];
      fails = true;
      await assert.rejects(stills.getJpeg(streamIdOf('main', 'a'), null), { code: 'jpeg_unavailable', status: 501 });
      assert.equal(await byteOf(), 1);
      stills = new Stills({ engine: { keyframe: async () => keyframe(1) }, now: () => now });
      await assert.rejects(stills.getJpeg(streamIdOf('main', 'a'), null), {
        code: 'jpeg_unavailable',
        message: /install ffmpeg/,
      });
    });
  });
});
