import type { RewindPart, RewindRecording, RewindSource } from '../../server/recording/rewind-source.js';

export const RECORDING_ID = 'r'.repeat(22);

/** A part in H264 with Opus that is being recorded: five groups of two seconds began. */
export function aPart(changes: Partial<RewindPart> = {}): RewindPart {
  return {
    id: '1',
    file: '/recordings/part-1.mkv',
    startsAt: Date.parse('2030-01-01T00:00:00Z'),
    video: { codec: 'h264' },
    audio: { codec: 'opus' },
    groups: [0, 1, 2, 3, 4].map((index) => ({ position: 100 + index * 1_000, timestampMs: index * 2_000 })),
    durationMs: 9_000,
    bytes: 4_700,
    isOpen: true,
    ...changes,
  };
}

/** The recording of a broadcast that is live. */
export function aRewindRecording(changes: Partial<RewindRecording> = {}): RewindRecording {
  return {
    id: RECORDING_ID,
    accountId: 'main',
    streamName: 'main',
    sourceId: null,
    tokenId: 1,
    startedAt: Date.parse('2030-01-01T00:00:00Z'),
    isOpen: true,
    parts: [aPart()],
    ...changes,
  };
}

/** The recordings in memory. */
export class FakeRewindSource implements RewindSource {
  recordings: RewindRecording[] = [];

  findOpen(accountId: string, streamName: string) {
    return this.#of(accountId, streamName).findLast(({ isOpen }) => isOpen);
  }

  async findLatest(accountId: string, streamName: string) {
    return this.#of(accountId, streamName).at(-1);
  }

  async findById(recordingId: string) {
    return this.recordings.find(({ id }) => id === recordingId);
  }

  #of(account: string, name: string): RewindRecording[] {
    return this.recordings.filter(({ accountId, streamName }) => accountId === account && streamName === name);
  }
}
