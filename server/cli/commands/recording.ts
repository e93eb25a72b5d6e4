import {
  createClip,
  createRecordingLink,
  cutRecording,
  recordingPath,
  recordingsQuery,
  updateRecording,
  updateRecordingSettings,
  type RecordingBody,
  type RecordingSettingsBody,
} from '../../../src/wire/management/recording.js';
import { parse } from '../../http/request/parse.js';
import type { CliCommand, CommandInvocation, CommandResult } from '../command.js';
import { csvOption, csvResult } from '../csv-output.js';
import { callManagement, callServer } from '../management/management-calls.js';
import { withoutUndefined } from './token-options.js';

const SOURCE = { source: { value: 'ID', description: 'of a source; absent: the main source' } } as const;

export const recordingListCommand: CliCommand = {
  name: 'recording list',
  summary: 'list the recordings and clips, the newest first',
  takesAccount: true,
  options: {
    stream: { value: 'NAME', description: 'those of this stream' },
    state: { choices: ['recording', 'finishing', 'ready', 'failed'], description: 'only recordings in this state' },
    page: { value: 'N', description: 'the page, from 1' },
    items: { value: 'N', description: 'recordings on a page, up to 100' },
    ...csvOption,
  },
  async run(invocation) {
    const { options } = invocation;
    const given = withoutUndefined({
      streamName: options.one('stream'),
      state: options.one('state'),
      page: options.one('page'),
      itemsOnPage: options.one('items'),
    });
    const query = parse(recordingsQuery, given);
    if (options.one('csv')) {
      const { streamName, state } = query;
      return csvResult(await callManagement(invocation, (client) => client.recordings.csv({ streamName, state })));
    }
    const { recordings, total } = await callManagement(invocation, (client) => client.recordings.listRecordings(query));
    const text = recordings.map(lineOf).join('\n');
    return { data: { recordings, total }, text, note: `${recordings.length} of ${total}` };
  },
};

export const recordingShowCommand: CliCommand = {
  name: 'recording show',
  summary: 'show one recording',
  operands: ['ID'],
  takesAccount: true,
  async run(invocation) {
    const id = idOf(invocation);
    return shown(await callManagement(invocation, (client) => client.recordings.recording(id)));
  },
};

export const recordingKeepCommand: CliCommand = {
  name: 'recording keep',
  summary: 'keep a recording until it is deleted, or until a time',
  operands: ['ID'],
  takesAccount: true,
  options: {
    until: { value: 'TIME', description: 'with a time zone, such as 2026-12-05T20:00:00+01:00' },
  },
  async run(invocation) {
    const id = idOf(invocation);
    const change = parse(updateRecording, { expiresOn: invocation.options.one('until') ?? null });
    return shown(await callManagement(invocation, (client) => client.recordings.updateRecording(id, change)));
  },
};

export const recordingDeleteCommand: CliCommand = {
  name: 'recording delete',
  summary: 'delete a recording and its file',
  operands: ['ID'],
  takesAccount: true,
  async run(invocation) {
    const id = idOf(invocation);
    await callManagement(invocation, (client) => client.recordings.deleteRecording(id));
    return { data: { id, deleted: true }, text: 'The recording was deleted.' };
  },
};

export const recordingLinkCommand: CliCommand = {
  name: 'recording link',
  summary: 'make a link on the running server that plays a recording without a login',
  operands: ['ID'],
  options: {
    seconds: { value: 'N', description: 'how long it works, from 60 to 604800; absent: an hour' },
    download: { description: 'browsers save the file instead of playing it' },
  },
  async run(invocation) {
    const { options } = invocation;
    const id = idOf(invocation);
    const fields = parse(
      createRecordingLink,
      withoutUndefined({
        seconds: numberOf(options.one('seconds')),
        download: options.one('download') === undefined ? undefined : true,
      }),
    );
    const link = await callServer(invocation, (client) => client.recordings.recordingLink(id, fields));
    return { data: link, text: link.path, note: `until ${link.expiresOn}` };
  },
};

export const recordingFinishCommand: CliCommand = {
  name: 'recording finish',
  summary: 'have the running server try now to make the file of a recording that could not be made ready',
  operands: ['ID'],
  options: {
    'take-over': { description: 'the server that has it is lost: make the file from the copy in S3' },
  },
  async run(invocation) {
    const id = idOf(invocation);
    const takeOver = invocation.options.one('take-over') !== undefined;
    return shown(await callServer(invocation, (client) => client.recordings.finishRecording(id, { takeOver })));
  },
};

export const recordingClipCommand: CliCommand = {
  name: 'recording clip',
  summary: 'have the running server keep a piece of a recording that is ready, from START seconds after its beginning',
  operands: ['ID', 'START', 'SECONDS'],
  async run(invocation) {
    const id = idOf(invocation);
    const [, start, seconds] = invocation.operands;
    const piece = parse(cutRecording, { startSeconds: numberOf(start), seconds: numberOf(seconds) });
    return shown(await callServer(invocation, (client) => client.recordings.cutRecording(id, piece)));
  },
};

export const streamRecordCommand: CliCommand = {
  name: 'stream record',
  summary: 'record a stream that is live on the running server, until its broadcast ends',
  operands: ['STREAM_NAME'],
  options: SOURCE,
  run: (invocation) => setRecording(invocation, true),
};

export const streamUnrecordCommand: CliCommand = {
  name: 'stream unrecord',
  summary: 'stop recording a stream of the running server; the stream stays live',
  operands: ['STREAM_NAME'],
  options: SOURCE,
  run: (invocation) => setRecording(invocation, false),
};

export const streamClipCommand: CliCommand = {
  name: 'stream clip',
  summary: 'keep the last seconds of a stream that the running server records, or recorded until ten minutes ago',
  operands: ['STREAM_NAME', 'SECONDS'],
  options: SOURCE,
  async run(invocation) {
    const {
      operands: [streamName = '', seconds],
      options,
    } = invocation;
    const clip = parse(createClip, { seconds: numberOf(seconds), sourceId: options.one('source') ?? null });
    return shown(await callServer(invocation, (client) => client.recordings.createClip(streamName, clip)));
  },
};

export const accountRecordingCommand: CliCommand = {
  name: 'account recording',
  summary: 'show how long recordings are kept and how much space they use, or change it',
  takesAccount: true,
  options: {
    days: { value: 'N', description: "days that recordings are kept, from their start; '' for always" },
    quota: { value: 'BYTES', description: "how much space they may use; '' for any" },
  },
  async run(invocation) {
    const { options } = invocation;
    const given = withoutUndefined({
      retentionDays: limitOf(options.one('days')),
      quotaBytes: limitOf(options.one('quota')),
    });
    if (Object.keys(given).length === 0) {
      return settingsShown(await callManagement(invocation, (client) => client.recordings.recordingSettings()));
    }
    const change = parse(updateRecordingSettings, given);
    return settingsShown(
      await callManagement(invocation, (client) => client.recordings.updateRecordingSettings(change)),
    );
  },
};

async function setRecording(invocation: CommandInvocation, isOn: boolean): Promise<CommandResult> {
  const {
    operands: [streamName = ''],
    options,
  } = invocation;
  const sourceId = options.one('source') ?? null;
  await callServer(invocation, (client) => client.recordings.recordStream(streamName, isOn, sourceId));
  const text = isOn ? `${streamName} is being recorded.` : `${streamName} is not recorded any more.`;
  return { data: { streamName, sourceId, record: isOn }, text };
}

function idOf({ operands: [recordingId] }: CommandInvocation): string {
  return parse(recordingPath, { recordingId }).recordingId;
}

/** What is no number is left to the schema to refuse. */
function numberOf(text: string | undefined): number | string | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : text;
}

function limitOf(text: string | undefined): number | string | null | undefined {
  return text === '' ? null : numberOf(text);
}

function lineOf({ id, startedOn, state, durationSeconds, bytes, streamName, fault }: RecordingBody): string {
  const facts = [id, startedOn, state, `${Math.round(durationSeconds)} s`, `${bytes} bytes`, streamName];
  return [...facts, ...(fault ? [fault] : [])].join('\t');
}

function shown(recording: RecordingBody): CommandResult {
  const { width, height } = recording;
  const lines = [
    ['id', recording.id],
    ['kind', recording.kind],
    ['stream', recording.streamName],
    ['source', recording.sourceId ?? 'main'],
    ['token', recording.tokenId],
    ['state', recording.state],
    ['fault', recording.fault],
    ['start', recording.startedOn],
    ['end', recording.endedOn],
    ['seconds', recording.durationSeconds],
    ['bytes', recording.bytes],
    ['video', recording.videoCodec],
    ['size', width && height ? `${width}x${height}` : null],
    ['audio', recording.audioCodec],
    ['container', recording.container],
    ['expires', recording.expiresOn],
  ];
  return { data: recording, text: lines.map(([field, value]) => `${field}\t${value ?? '-'}`).join('\n') };
}

function settingsShown(settings: RecordingSettingsBody): CommandResult {
  const { retentionDays, quotaBytes, usedBytes, recordings, warning } = settings;
  const lines = [
    ['days', retentionDays],
    ['quota', quotaBytes],
    ['used', usedBytes],
    ['recordings', recordings],
  ];
  const text = lines.map(([field, value]) => `${field}\t${value ?? '-'}`).join('\n');
  return { data: settings, text, ...(warning && { note: warning }) };
}
