import {
  createScheduledStream,
  scheduleQuery,
  updateScheduledStream,
  type ScheduledStreamBody,
} from '../../../src/wire/management/schedule.js';
import { scheduledStreamId } from '../../../src/wire/scheduled-stream.js';
import { parse } from '../../http/request/parse.js';
import type { CliCommand, CommandInvocation, CommandOptions, CommandResult, OptionValues } from '../command.js';
import { csvOption, csvResult } from '../csv-output.js';
import { callManagement } from '../management/management-calls.js';
import { faultColumn, listNote } from '../management/row-faults.js';
import { withoutUndefined } from './token-options.js';

const FIELDS: CommandOptions = {
  stream: { value: 'NAME', description: 'the name of the stream, without the account' },
  title: { value: 'TEXT', description: 'what the page calls it' },
  start: { value: 'TIME', description: 'with a time zone, such as 2026-12-05T20:00:00+01:00' },
  end: { value: 'TIME', description: "likewise, up to seven days after the start; '' for none" },
  description: { value: 'TEXT', description: "up to 1,000 characters; '' for none" },
};

export const scheduleListCommand: CliCommand = {
  name: 'schedule list',
  summary: 'list the scheduled streams, the next one first',
  takesAccount: true,
  options: {
    past: { description: 'those that are over instead, the last one first' },
    page: { value: 'N', description: 'the page, from 1' },
    items: { value: 'N', description: 'scheduled streams on a page, up to 100' },
    ...csvOption,
  },
  async run(invocation) {
    const { options } = invocation;
    const given = withoutUndefined({
      past: options.one('past') ?? 'false',
      page: options.one('page'),
      itemsOnPage: options.one('items'),
    });
    const query = parse(scheduleQuery, given);
    if (options.one('csv')) {
      const { past } = query;
      return csvResult(await callManagement(invocation, (client) => client.schedule.csv({ past })));
    }
    const { streams, total } = await callManagement(invocation, (client) => client.schedule.list(query));
    return {
      data: { streams, total },
      text: streams.map(lineOf).join('\n'),
      note: listNote(streams, total, ({ id }) => id),
    };
  },
};

export const scheduleShowCommand: CliCommand = {
  name: 'schedule show',
  summary: 'show one scheduled stream',
  operands: ['ID'],
  takesAccount: true,
  async run(invocation) {
    const id = idOf(invocation);
    return shown(await callManagement(invocation, (client) => client.schedule.get(id)));
  },
};

export const scheduleAddCommand: CliCommand = {
  name: 'schedule add',
  summary: 'schedule a stream, and show the path of its page',
  takesAccount: true,
  options: {
    ...FIELDS,
    stream: { ...FIELDS['stream']!, required: true },
    title: { ...FIELDS['title']!, required: true },
    start: { ...FIELDS['start']!, required: true },
  },
  async run(invocation) {
    const fields = parse(createScheduledStream, fieldsOf(invocation.options));
    return shown(await callManagement(invocation, (client) => client.schedule.create(fields)));
  },
};

export const scheduleChangeCommand: CliCommand = {
  name: 'schedule change',
  summary: 'change the given fields of a scheduled stream; open pages follow',
  operands: ['ID'],
  takesAccount: true,
  options: FIELDS,
  async run(invocation) {
    const id = idOf(invocation);
    const change = parse(updateScheduledStream, fieldsOf(invocation.options));
    return shown(await callManagement(invocation, (client) => client.schedule.update(id, change)));
  },
};

export const scheduleRemoveCommand: CliCommand = {
  name: 'schedule remove',
  summary: 'remove a scheduled stream, and its page',
  operands: ['ID'],
  takesAccount: true,
  async run(invocation) {
    const id = idOf(invocation);
    await callManagement(invocation, (client) => client.schedule.remove(id));
    return { data: { id, removed: true }, text: 'The scheduled stream was removed.' };
  },
};

function idOf({ operands: [id] }: CommandInvocation): string {
  return parse(scheduledStreamId, id);
}

function fieldsOf(options: OptionValues): object {
  const removable = (name: string): string | null | undefined => (options.one(name) === '' ? null : options.one(name));
  return withoutUndefined({
    streamName: options.one('stream'),
    title: options.one('title'),
    startsOn: options.one('start'),
    endsOn: removable('end'),
    description: removable('description'),
  });
}

function lineOf(stream: ScheduledStreamBody): string {
  const { id, startsOn, endsOn, state, streamName, title } = stream;
  return [id, startsOn, endsOn ?? '-', state, streamName, title, ...faultColumn(stream)].join('\t');
}

function shown(stream: ScheduledStreamBody): CommandResult {
  const { id, title, streamName, startsOn, endsOn, state, path, description } = stream;
  const lines = [
    ['id', id],
    ['title', title],
    ['stream', streamName],
    ['start', startsOn],
    ['end', endsOn],
    ['state', state],
    ['page', path],
    ['description', description],
  ];
  return { data: stream, text: lines.map(([field, value]) => `${field}\t${value ?? '-'}`).join('\n') };
}
