import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { mediaProcesses } from '../e2e/support/media-processes.js';
import { processId } from '../support/child-processes.js';
import { Cleanup } from '../support/cleanup.js';
import type { WhipPublisher } from '../support/media/whip-publisher.js';
import { RecordedBroadcasts, untilAsked } from '../support/recording/recorded-broadcasts.js';

/** More than a frame, and less than what is written at once. */
const GAP_MS = 400;

describe('a process that is killed while a broadcast is recorded', () => {
  const cleanup = new Cleanup();
  let broadcasts: RecordedBroadcasts;

  before(async () => {
    broadcasts = await RecordedBroadcasts.open(cleanup);
  });
  after(() => cleanup.run());

  /** A broadcast of which a second is recorded. */
  const aBroadcast = async (name: string) => {
    const token = await broadcasts.tokens.publish(name, { record: true });
    let publisher: WhipPublisher = await broadcasts.publish(name, { token });
    await broadcasts.grows(name, 1);
    return {
      /** As an encoder that has lost its connection. */
      async reconnect() {
        publisher.close();
        publisher = await broadcasts.publish(name, { token });
      },
      /** Until when it is recorded, as the API says, in milliseconds since 1970. */
      async recordedUntil(): Promise<number> {
        const { startedOn, durationSeconds } = (await broadcasts.api.of(name)).at(-1)!;
        return Date.parse(startedOn) + 1_000 * durationSeconds;
      },
      grows: () => broadcasts.grows(name, 1),
      /** Ends it. @returns when each picture of its files was recorded, in milliseconds since 1970 */
      async end() {
        await broadcasts.api.stop(name);
        const all = await broadcasts.ready(name);
        const times: number[] = [];
        for (const recording of all) {
          const { errors, video } = await broadcasts.api.decoded(recording);
          assert.equal(errors, '');
          times.push(...video.map(({ timestampMs }) => Date.parse(recording.startedOn) + timestampMs));
        }
        return { faults: all.map(({ fault }) => fault), times };
      },
    };
  };
  const steps = (times: readonly number[]): number[] => times.slice(1).map((time, index) => time - times[index]!);
  /** All that was recorded before the kill is there, and what came afterwards. */
  const assertKept = (times: readonly number[], recordedUntil: number): void => {
    const before = times.filter((time) => time <= recordedUntil);
    assert.ok(before.length > 5 && Math.max(...steps(before)) < GAP_MS, steps(before).join(' '));
    assert.ok(recordedUntil - before.at(-1)! < GAP_MS, `${recordedUntil - before.at(-1)!} ms are lost`);
    assert.ok(times.at(-1)! - recordedUntil > 500, 'it goes on');
  };

  it('is the recorder: it goes on in the same recording', async () => {
    const broadcast = await aBroadcast('recorder');
    const recordedUntil = await broadcast.recordedUntil();
    process.kill(processId(broadcasts.server, 'recorder'), 'SIGKILL');
    await broadcast.grows();
    const { faults, times } = await broadcast.end();
    assert.deepEqual(faults, ['recorder_lost']);
    assertKept(times, recordedUntil);
  });

  it('is the packager while it makes the file: the file is made all the same', async () => {
    const broadcast = await aBroadcast('packager');
    // A segment of what is recorded so far has the packager run.
    await untilAsked('a segment can be loaded', async () => {
      const playlist = await fetch(`${broadcasts.server.origin}/api/hls/main/packager`);
      const segment = (await playlist.text()).match(/.+\.m4s/)?.[0];
      return segment !== undefined && (await fetch(new URL(segment, playlist.url))).status === 200;
    });
    const pid = processId(broadcasts.server, 'packager');
    process.kill(pid, 'SIGSTOP');
    const ending = broadcast.end();
    await untilAsked('its file is to be made', async () => {
      const [recording] = await broadcasts.api.of('packager');
      return recording!.state === 'finishing';
    });
    process.kill(pid, 'SIGKILL');
    const { faults, times } = await ending;
    assert.deepEqual(faults, [null]);
    assert.ok(times.length > 10 && Math.max(...steps(times)) < GAP_MS, steps(times).join(' '));
  });

  it('is the media worker: the recording goes on with the broadcast', async () => {
    const broadcast = await aBroadcast('worker');
    const recordedUntil = await broadcast.recordedUntil();
    const [pid] = mediaProcesses(broadcasts.server).values();
    process.kill(pid!, 'SIGKILL');
    await broadcast.reconnect();
    await broadcast.grows();
    const { faults, times } = await broadcast.end();
    assert.deepEqual(faults, [null]);
    assertKept(times, recordedUntil);
  });

  it('is the server: the next one finishes what it recorded, and records on', async () => {
    const broadcast = await aBroadcast('server');
    const recordedUntil = await broadcast.recordedUntil();
    await broadcasts.server.restart('SIGKILL');
    await broadcast.reconnect();
    await broadcast.grows();
    const { faults, times } = await broadcast.end();
    assert.deepEqual(faults, ['recorder_lost', null]);
    assertKept(times, recordedUntil);
  });
});
