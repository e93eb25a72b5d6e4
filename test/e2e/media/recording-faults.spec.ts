import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { processId } from '../support/child-processes.ts';
import { openFaults, type Faults } from '../support/faults.ts';
import { expectMovingPicture, mediaFlows, openViewer } from '../support/pages.ts';
import { RecordedStreams, type Recorded } from '../support/recorded-streams.ts';
import { broadcastHeadless } from '../support/tagless.ts';
import { expect, test as base } from '../support/test.ts';

interface RecordedBroadcast {
  /** The recording that goes on. */
  readonly now: () => Promise<Recorded | undefined>;
  /** Resolves when this many more seconds are recorded. */
  readonly grows: (seconds: number) => Promise<void>;
  /** The recording has this fault, while its stream is live and the viewer sees it move. */
  readonly isToldOf: (fault: string | null) => Promise<void>;
  /** The publisher leaves, and may come back. */
  readonly leave: () => Promise<void>;
  /** Ends the broadcast. @returns the recording when it is ready, and all its pictures that can be decoded */
  readonly stop: () => Promise<{ readonly fault: string | null; readonly pictures: number }>;
}

const test = base.extend<{ recorded: RecordedBroadcast }, { faults: Faults }>({
  faults: [
    async ({}, use) => {
      const faults = await openFaults();
      await use(faults);
      await faults.close();
    },
    { scope: 'worker' },
  ],
  environment: [async ({ faults }, use) => use({ MEDIA_WORKERS: '1', ...faults.environment }), { scope: 'worker' }],
  recorded: async ({ server: { origin }, apiSecret, tokens, streamName, context }, use) => {
    const streams = new RecordedStreams(origin, apiSecret);
    const publisher = await context.newPage();
    const viewer = await context.newPage();
    const token = await tokens.publish(streamName, { record: true });
    await broadcastHeadless(publisher, { origin, streamName, token }, { codec: 'h264' });
    await mediaFlows({ origin, streamName });
    await openViewer(viewer, { origin, streamName, token: undefined });
    await expectMovingPicture(viewer);
    const now = async () => (await streams.of(streamName))[0];
    const seconds = async () => (await now())?.durationSeconds ?? 0;
    await use({
      now,
      async grows(more) {
        const before = await seconds();
        await expect.poll(seconds, { timeout: 90_000 }).toBeGreaterThan(before + more);
      },
      async isToldOf(fault) {
        await expect.poll(async () => (await now())?.fault, { timeout: 60_000 }).toBe(fault);
        await expectMovingPicture(viewer);
        expect((await now())?.state).toBe('recording');
      },
      leave: () => publisher.close(),
      async stop() {
        await streams.stop(streamName);
        await expect.poll(async () => (await now())?.state, { timeout: 60_000 }).toBe('ready');
        const ready = (await now())!;
        const { errors, video } = await streams.decoded(ready);
        expect(errors).toBe('');
        return { fault: (await now())!.fault, pictures: video.length };
      },
    });
  },
});

test.setTimeout(300_000);

const TOLD = { slow: 'disk_slow', full: 'disk_full', 'read-only': 'disk_failed' } as const;

for (const fault of ['slow', 'full', 'read-only'] as const) {
  test(`while the disk is ${fault}, the stream is live, the owner is told, and what was written can be read`, async ({
    faults,
    server,
    recorded,
  }) => {
    await recorded.grows(3);
    const repair = faults.breakDisk(fault);
    // A file that is open can be written: the next part cannot be created.
    if (fault === 'read-only') process.kill(processId(server, 'recorder'), 'SIGKILL');
    await recorded.isToldOf(TOLD[fault]);
    repair();
    await recorded.grows(3);
    const { fault: kept, pictures } = await recorded.stop();
    expect(kept).toBe(TOLD[fault]);
    expect(pictures).toBeGreaterThan(120);
  });
}

for (const state of ['away', 'forbidden'] as const) {
  test(`while S3 is ${state}, the stream is live and recorded, the owner is told, and the copy is taken up again`, async ({
    faults: { s3 },
    server,
    recorded,
  }) => {
    await recorded.grows(3);
    s3.state = state;
    await recorded.isToldOf('upload_failed');
    await recorded.grows(3);
    s3.state = 'open';
    // It is tried again within half a minute.
    await recorded.isToldOf(null);
    s3.state = state;
    const copies = () => server.output().split('a recording was copied to S3').length - 1;
    const copied = copies();
    const { fault, pictures } = await recorded.stop();
    expect(pictures).toBeGreaterThan(120);
    expect([null, 'upload_failed']).toContain(fault);
    await expect.poll(async () => (await recorded.now())?.fault).toBe('upload_failed');
    s3.state = 'open';
    await expect.poll(async () => (await recorded.now())?.fault, { timeout: 60_000 }).toBe(null);
    await expect.poll(copies).toBe(copied + 1);
  });
}

test('when the machine is lost with its folder, another server makes the file from the copy in S3', async ({
  faults: { folder },
  server,
  apiSecret,
  recorded,
}) => {
  await recorded.grows(25);
  await recorded.leave();
  const lost = (await recorded.now())!;
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true });
  // With an empty folder, it is another server.
  await server.restart('SIGKILL');
  const streams = new RecordedStreams(server.origin, apiSecret);
  await streams.takeOver(lost);
  expect((await recorded.now())?.state).toBe('recording');
  const database = new DatabaseSync(join(server.dataDir, 'streamgate.db'));
  // Two minutes are long for a test.
  database.exec('UPDATE recording_server SET running_on = running_on - 120000');
  database.close();
  await streams.takeOver(lost);
  await expect.poll(async () => (await recorded.now())?.state, { timeout: 60_000 }).toBe('ready');
  const ready = (await recorded.now())!;
  expect(ready).toMatchObject({ id: lost.id, fault: 'recorder_lost' });
  expect(ready.durationSeconds).toBeGreaterThan(lost.durationSeconds - 15);
  const { errors, video } = await streams.decoded(ready);
  expect(errors).toBe('');
  expect(video.length).toBeGreaterThan(120);
});
