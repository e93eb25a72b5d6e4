import { setTimeout as delay } from 'node:timers/promises';
import type { MediaEngine } from '../../server/media/engine/media-engine.js';
import { RtpPeer } from '../../test/support/media/rtp-peer.js';
import { until } from '../../test/support/media/until.js';
import { admitViewers } from '../media/admit-viewers.js';
import { DelayHistogram } from '../media/delay-histogram.js';
import { LOOPBACK } from '../media/network-path.js';
import type { Receivers } from '../media/receivers.js';
import { VideoSender } from '../media/video-sender.js';
import { BenchProcess } from '../support/bench-process.js';
import { progress } from '../support/progress.js';

const VIEWERS = 20;
/** 1.8 Mbit/s at 30 frames a second. */
const PACKETS_PER_FRAME = 7;
const CONNECTED_WITHIN_MS = 20_000;
/** JavaScript reaches its full speed only after many thousand packets. */
const WARM_UP_MS = 20_000;
/** Each round begins after this time, so that the files of the recording are open, and the round before is over. */
const LEAD_IN_MS = 4_000;
const ROUND_MS = 5_000;
const ROUNDS = 12;
/** The wait for packets that are still in transit when the publisher stops. */
const TRAILING_MS = 300;

/** A recording of all streams that goes on. */
export interface BenchRecording {
  /** Whether media of every stream is on disk. */
  readonly isWritten: () => boolean;
  /** Resolves when every file is complete. */
  readonly stop: () => Promise<void>;
}

export interface ViewerDelayOptions {
  readonly engine: MediaEngine;
  /** The stream that is watched. Nobody publishes it yet. */
  readonly stream: string;
  /** Records that stream and others. */
  readonly record: () => Promise<BenchRecording>;
  readonly quick: boolean;
}

/**
 * Percentiles of the delay from the publisher to the viewers, over the packets of all rounds: the 99th of one round would
 * be the worst one or two of its frames.
 */
export interface Delay {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface ViewerDelay {
  readonly plain: Delay;
  readonly recorded: Delay;
  /** The share of the packets that arrived in the worst round. */
  readonly delivered: number;
}

/** Measures rounds with and without a recording in turn: everything else is the same, also a busy moment of the machine. */
export async function viewerDelay({ engine, stream, record, quick }: ViewerDelayOptions): Promise<ViewerDelay> {
  const receivers = await BenchProcess.start<Receivers>('media/receivers.ts');
  const publisher = await RtpPeer.open({ role: 'publisher' });
  try {
    await publisher.accept(await engine.publish(stream, publisher.offer));
    const sender = new VideoSender((packet) => publisher.send(packet));
    const { admitted } = await admitViewers(quick ? 2 : VIEWERS, async (count) => {
      const { first, offers } = await receivers.call('openViewers', {
        addresses: Array<string>(count).fill(LOOPBACK.serverAddress),
        serverAddress: LOOPBACK.serverAddress,
      });
      const answers: string[] = [];
      for (const offer of offers) answers.push((await engine.view(stream, offer)).answer);
      return await receivers.call('accept', { first, answers, withinMs: CONNECTED_WITHIN_MS });
    });
    await sender.sendFor(quick ? 1_000 : WARM_UP_MS, PACKETS_PER_FRAME);

    /** @returns the share of the packets that arrived */
    const measure = async (delays: DelayHistogram): Promise<number> => {
      await receivers.call('begin', null);
      const sent = await sender.sendFor(quick ? 1_000 : ROUND_MS, PACKETS_PER_FRAME);
      await delay(TRAILING_MS);
      const before = delays.packets;
      delays.addAll((await receivers.call('collect', null)).delays);
      return (delays.packets - before) / (sent * admitted);
    };
    const delays = { plain: new DelayHistogram(), recorded: new DelayHistogram() };
    let delivered = 1;
    const roundCount = quick ? 1 : ROUNDS;
    for (let round = 0; round < roundCount; round++) {
      progress(`delay to viewers, round ${round + 1} of ${roundCount}`);
      for (const isRecorded of round % 2 === 0 ? [false, true] : [true, false]) {
        const recording = isRecorded ? await record() : undefined;
        await sender.sendFor(LEAD_IN_MS, PACKETS_PER_FRAME);
        if (recording) await until('all streams are recorded', recording.isWritten, 30_000);
        delivered = Math.min(delivered, await measure(delays[isRecorded ? 'recorded' : 'plain']));
        await recording?.stop();
      }
    }
    return { plain: percentiles(delays.plain), recorded: percentiles(delays.recorded), delivered };
  } finally {
    publisher.close();
    await receivers.stop();
  }
}

const percentiles = (delays: DelayHistogram): Delay => ({ p50Ms: delays.atMost(0.5), p99Ms: delays.atMost(0.99) });
