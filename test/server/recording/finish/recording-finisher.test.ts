import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pino } from 'pino';
import { RecordingFinisher } from '../../../../server/recording/finish/recording-finisher.js';
import type { Packager } from '../../../../server/recording/packager.js';
import { RecordingFiles } from '../../../../server/recording/recording-files.js';
import { newRecordingId, type RecordingRecord } from '../../../../server/recording/recording-record.js';
import { openDatabase } from '../../../../server/store/database.js';
import { SqlAccountStore } from '../../../../server/store/tables/sql-account-store.js';
import { SqlRecordingStore } from '../../../../server/store/tables/sql-recording-store.js';
import { Cleanup } from '../../../support/cleanup.js';
import { dataFolder } from '../../../support/data-folder.js';
import { until } from '../../../support/media/until.js';
import { aRecordedPart, aRecording, RECORDED_ON } from '../../../support/recording.js';
import { FakePackager } from '../../../support/recording-fakes.js';

const PARTS = [
  { name: 'part-1.mkv', text: 'h'.repeat(10_000), video: { codec: 'h264', width: 1_280, height: 720 } },
  { name: 'part-2.mkv', text: 'v'.repeat(3_000), video: { codec: 'vp9', width: 640, height: 360 } },
  { name: 'part-3.mkv', text: 'h'.repeat(500), video: { codec: 'h264', width: 1_280, height: 720 } },
] as const;

const brief = (text: string): string => `${text.length} ${[...new Set(text)].join('')}`;

/** Reads the codec of a part from its first byte. */
class CodecPackager extends FakePackager {
  /** The file that cannot be made. */
  failing: string | undefined;

  override async finish(...order: Parameters<FakePackager['finish']>) {
    if (order[1] === this.failing) throw new Error('no');
    return await super.finish(...order);
  }

  override async readPart(file: string) {
    const { video } = PARTS.find(({ text }) => text[0] === readFileSync(file, 'utf8')[0])!;
    return { ...(await super.readPart(file)), video };
  }
}

/** What a server does until it is killed. */
class Steps {
  #left: number;
  readonly ended: Promise<'killed'>;
  #kill: (how: 'killed') => void = () => {};

  /** @param left how many are done */
  constructor(left: number) {
    this.#left = left;
    this.ended = new Promise((resolve) => (this.#kill = resolve));
  }

  /** The same object, whose methods that promise something do nothing and promise for ever after the last step. */
  of<Part extends object>(part: Part): Part {
    return new Proxy(part, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        const call = (...args: unknown[]): unknown => Reflect.apply(value, target, args);
        return name === 'fileOf' || name === 'folderOf' ? call : (...args: unknown[]) => this.#end() ?? call(...args);
      },
    });
  }

  #end(): Promise<never> | undefined {
    if (this.#left-- > 0) return undefined;
    this.#kill('killed');
    return new Promise(() => {});
  }
}

describe('RecordingFinisher', () => {
  const cleanup = new Cleanup();
  let store: SqlRecordingStore;
  let files: RecordingFiles;
  let packager: CodecPackager;
  let onReady: () => void;

  beforeEach(async () => {
    const db = await openDatabase(await dataFolder(cleanup));
    cleanup.after(() => db.destroy());
    await new SqlAccountStore(db).create('acme');
    store = new SqlRecordingStore(db);
    files = await RecordingFiles.open(await dataFolder(cleanup));
    packager = new CodecPackager();
    onReady = () => {};
  });
  afterEach(() => cleanup.run());

  const finisherOf = (parts: {
    store: SqlRecordingStore;
    files: RecordingFiles;
    packager: Pick<Packager, 'readPart' | 'finish'>;
  }) =>
    new RecordingFinisher({
      ...parts,
      restoreParts: async () => {},
      onUnreadable: (unreadable) => assert.deepEqual(unreadable, [], 'parts of another recording count as lost'),
      onReady: () => onReady(),
      onFailed: async (record) => void (await store.save({ ...record, state: 'finishing', fault: 'finish_failed' })),
      log: pino({ level: 'silent' }),
    });
  const add = async (): Promise<RecordingRecord> => {
    let startsAt = RECORDED_ON;
    const parts = PARTS.map(({ name, text, video }) => {
      const part = aRecordedPart({ name, video, startsAt, durationMs: text.length, bytes: text.length });
      startsAt += text.length;
      return part;
    });
    const record = aRecording({ state: 'finishing', container: null, nodeId: files.nodeId, parts });
    await store.add(record);
    await mkdir(files.folderOf(record), { recursive: true });
    for (const { name, text } of PARTS) await writeFile(files.fileOf(record, name), text);
    return record;
  };
  const stored = async () => (await store.list('acme', { page: 1, itemsOnPage: 100 })).recordings;
  const finished = async () =>
    (await stored())
      .map(({ state, fault, videoCodec, bytes, startedOn, ...named }) => {
        const media = state === 'ready' ? brief(readFileSync(files.fileOf(named, 'recording.mp4'), 'utf8')) : '';
        return { state, fault, videoCodec, bytes, media, from: startedOn - RECORDED_ON };
      })
      .toSorted((one, other) => one.from - other.from);
  const ALL = PARTS.map(({ text, video }, index) => ({
    state: 'ready',
    fault: null,
    videoCodec: video.codec,
    bytes: text.length,
    media: brief(text),
    from: PARTS.slice(0, index).reduce((sum, before) => sum + before.text.length, 0),
  }));

  it('makes the recordings of each account in turn', async () => {
    const turns: string[] = [];
    const finisher = new RecordingFinisher({
      store,
      files,
      packager,
      async restoreParts({ accountId }) {
        turns.push(accountId);
        throw new Error('there is no copy');
      },
      onUnreadable: () => {},
      onReady: () => {},
      onFailed: async () => {},
      log: pino({ level: 'silent' }),
    });
    const recordings = ['acme', 'acme', 'acme', 'acme', 'other'].map((accountId) =>
      aRecording({ id: newRecordingId(), accountId }),
    );
    await Promise.all(recordings.map((record) => finisher.recover(record)));
    assert.deepEqual(turns, ['acme', 'acme', 'other', 'acme', 'acme']);
  });

  const allReady = () => until('all are ready', async () => (await finished()).every(({ state }) => state === 'ready'));
  const recover = async (finisher: RecordingFinisher) => {
    for (const record of await store.listUnfinished(files.nodeId)) {
      if (record.state === 'finishing') void finisher.recover(record);
    }
    await allReady();
    await finisher.close();
  };

  it('makes a recording of each codec, once and whole, wherever the server is killed', async () => {
    let isKilled = true;
    let kills = 0;
    for (; isKilled; kills++) {
      const record = await add();
      const steps = new Steps(kills);
      let left = ALL.length;
      const done = new Promise((resolve) => (onReady = () => --left === 0 && resolve('done')));
      void finisherOf({ store: steps.of(store), files: steps.of(files), packager: steps.of(packager) }).finish(record);
      isKilled = (await Promise.race([done, steps.ended])) === 'killed';
      onReady = () => {};
      await recover(finisherOf({ store, files, packager }));
      assert.deepEqual(await finished(), ALL, `killed at step ${kills}`);
      for (const { id } of await stored()) await store.remove('acme', id, RECORDED_ON);
      await files.removeAll(record);
    }
    assert.ok(kills > 10, `${kills}`);
  });

  it('makes the recordings of the other codecs if the file of the first cannot be made, and that one later', async () => {
    const record = await add();
    const finisher = finisherOf({ store, files, packager });
    packager.failing = files.fileOf(record, 'recording');
    await finisher.finish(record);
    await until(
      'the others are ready',
      async () => (await finished()).filter(({ state }) => state === 'ready').length === 2,
      4_000,
    );
    const own = await store.find('acme', record.id);
    assert.deepEqual(
      [own?.state, own?.fault, own?.parts.map(({ name }) => name)],
      ['finishing', 'finish_failed', ['part-1.mkv']],
    );
    packager.failing = undefined;
    await recover(finisher);
    assert.deepEqual(await finished(), ALL);
  });
});
