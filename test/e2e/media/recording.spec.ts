import { expectMovingPicture } from '../support/pages.ts';
import { RecordedStreams } from '../support/recorded-streams.ts';
import { RewindingPage } from '../support/rewinding-page.ts';
import { expect, test } from '../support/test.ts';
import { look, readTimeCodes, takeSeen, type Seen } from '../support/time-code-reader.ts';
import { broadcastTimeCodes, endBroadcast } from '../support/time-coded-broadcaster.ts';

/** What the picture of then may differ from when it was, in milliseconds: a segment would be two seconds. */
const MOST_MS = 1_000;
const SIZE = { width: 320, height: 180 };

const isRead = ({ drawnAt }: Seen) => !Number.isNaN(drawnAt);

test('a broadcast of a browser is seen as it was while it is recorded, live again, and a file afterwards', async ({
  server: { origin },
  apiSecret,
  tokens,
  streamName,
  context,
  page,
}, info) => {
  const streams = new RecordedStreams(origin, apiSecret);
  const recording = async () => (await streams.of(streamName))[0];
  const token = await tokens.publish(streamName, { record: true });
  const broadcaster = await context.newPage();
  await broadcastTimeCodes(broadcaster, { origin, streamName, token }, { codec: 'h264' }, undefined, SIZE);
  const viewer = new RewindingPage(page);
  await viewer.open({ origin, streamName });
  await expectMovingPicture(page);
  await readTimeCodes(page);
  await expect.poll(async () => Number(await viewer.slider.getAttribute('max'))).toBeGreaterThan(9);

  await viewer.seekTo(0);
  await expect.poll(() => viewer.time()).toBeGreaterThan(0.5);
  const startedAt = Date.parse((await recording())!.startedOn);
  const pictures: Seen[] = [];
  const more = async (): Promise<number> => {
    pictures.push(...(await takeSeen(page)).filter((one) => isRead(one) && one.recordingMs !== undefined));
    return pictures.length;
  };
  await expect.poll(more).toBeGreaterThan(5);
  // The picture of then: the recording says when each picture was.
  const wrong = pictures.map(({ drawnAt, recordingMs }) => drawnAt - startedAt - recordingMs!);
  expect(Math.max(...wrong.map(Math.abs)), wrong.join(' ')).toBeLessThan(MOST_MS);
  await page.screenshot({ path: info.outputPath('behind.png') });

  const wentBackUntil = pictures.at(-1)!.drawnAt;
  await viewer.goToLive();
  await viewer.expectLive();
  await expect.poll(async () => (await look(page)).drawnAt).toBeGreaterThan(wentBackUntil + 5_000);
  const onTheWay = await takeSeen(page);
  expect(
    onTheWay.filter((one) => !isRead(one)),
    'a picture at every frame',
  ).toEqual([]);

  await endBroadcast(broadcaster);
  await streams.stop(streamName);
  await viewer.fromBeginning.click();
  await viewer.expectToPlayFrom(0);
  await expect.poll(async () => (await recording())?.state).toBe('ready');
  const ready = (await recording())!;
  expect(ready).toMatchObject({ videoCodec: 'h264', container: 'mp4', fault: null });
  const { errors, video, audio } = await streams.decoded(ready);
  expect(errors).toBe('');
  expect(Math.min(video.length, audio.length)).toBeGreaterThan(60);
});
