import { setUpstream, type UpstreamBody } from '../../../src/wire/management/upstream.js';
import { parse } from '../../http/request/parse.js';
import type { CliCommand, CommandResult, OptionValues } from '../command.js';
import { fileText } from '../files.js';
import { callManagement } from '../management/management-calls.js';
import { faultColumn, faultNote } from '../management/row-faults.js';
import { withoutUndefined } from './token-options.js';

const STREAM = { value: 'NAME', description: 'of this stream only; without it, of all streams of the account' };

export const upstreamListCommand: CliCommand = {
  name: 'upstream list',
  summary: 'list the servers that carry the media of the account',
  takesAccount: true,
  async run(invocation) {
    const upstreams = await callManagement(invocation, (client) => client.upstreams.list());
    return { data: { upstreams }, text: upstreams.map(lineOf).join('\n'), ...faultNote(upstreams, nameOf) };
  },
};

export const upstreamSetCommand: CliCommand = {
  name: 'upstream set',
  summary: 'have another server carry the media, over WHIP and WHEP',
  takesAccount: true,
  options: {
    stream: STREAM,
    software: { value: 'NAME', description: 'cloudflare, mediamtx, srs or streamgate', required: true },
    'publish-url': { value: 'URL', description: 'the WHIP endpoint, with {account} and {name}', required: true },
    'view-url': { value: 'URL', description: 'the WHEP endpoint, with {account} and {name}', required: true },
    'status-url': { value: 'URL', description: 'where the software says what is live', required: true },
    'publish-token-file': { value: 'FILE', description: 'the token for the WHIP endpoint; an empty value removes it' },
    'view-token-file': { value: 'FILE', description: 'the token for the WHEP endpoint; an empty value removes it' },
    'status-token-file': { value: 'FILE', description: 'the token for the status; an empty value removes it' },
  },
  async run(invocation) {
    const { options } = invocation;
    const given = {
      streamName: options.one('stream'),
      software: options.one('software'),
      publishUrl: options.one('publish-url'),
      viewUrl: options.one('view-url'),
      statusUrl: options.one('status-url'),
      publishToken: await tokenOf(options, 'publish-token-file'),
      viewToken: await tokenOf(options, 'view-token-file'),
      statusToken: await tokenOf(options, 'status-token-file'),
    };
    const upstream = parse(setUpstream, withoutUndefined(given));
    return shown(await callManagement(invocation, (client) => client.upstreams.set(upstream)));
  },
};

export const upstreamRemoveCommand: CliCommand = {
  name: 'upstream remove',
  summary: 'have this server carry the media again',
  takesAccount: true,
  options: { stream: STREAM },
  async run(invocation) {
    const streamName = invocation.options.one('stream') ?? null;
    await callManagement(invocation, (client) => client.upstreams.remove(streamName));
    return { data: { streamName, removed: true }, text: 'The upstream was removed.' };
  },
};

/** In a file, because every user of the machine can read the arguments of a command. */
async function tokenOf(options: OptionValues, name: string): Promise<string | null | undefined> {
  const path = options.one(name);
  return path === undefined ? undefined : path === '' ? null : (await fileText(path, 'utf8')).trim();
}

function nameOf({ streamName }: UpstreamBody): string {
  return streamName ?? '(all)';
}

function lineOf(upstream: UpstreamBody): string {
  const { software, publishUrl, viewUrl } = upstream;
  const stored = [software, publishUrl, viewUrl].map((text) => text || '-');
  return [nameOf(upstream), ...stored, ...faultColumn(upstream)].join('\t');
}

function shown(upstream: UpstreamBody): CommandResult {
  const { software, publishUrl, viewUrl, statusUrl, unsupported } = upstream;
  const tokens = [
    ...(upstream.hasPublishToken ? ['publish'] : []),
    ...(upstream.hasViewToken ? ['view'] : []),
    ...(upstream.hasStatusToken ? ['status'] : []),
  ];
  const lines = [
    ['stream', nameOf(upstream)],
    ['software', software],
    ['publish', publishUrl],
    ['view', viewUrl],
    ['status', statusUrl],
    ['tokens', tokens.join(',') || null],
    ['unsupported', unsupported.join(',') || null],
  ];
  return { data: upstream, text: lines.map(([field, value]) => `${field}\t${value ?? '-'}`).join('\n') };
}
