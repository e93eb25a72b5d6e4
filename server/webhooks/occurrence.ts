import { randomBytes } from 'node:crypto';
import { TEST_EVENT, type WebhookEvent, type WebhookEventFields } from '../../src/wire/webhook-event.js';
import { streamIdOf } from '../streams/stream-id.js';

const VERSION = 1;

/** Something that happened, before it is known which webhooks want it. */
export interface Occurrence {
  /** The header `webhook-id` of its calls: the same for every webhook and every attempt. */
  readonly eventId: string;
  readonly accountId: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Those with the same key reach a webhook one after the other. */
  readonly orderKey: string;
  readonly event: WebhookEventFields;
}

type Subject = Pick<Occurrence, 'accountId' | 'time'>;

function occurrence(subject: Subject, orderKey: string, event: WebhookEventFields): Occurrence {
  const { accountId, time } = subject;
  return { eventId: `msg_${randomBytes(16).toString('base64url')}`, accountId, time, orderKey, event };
}

/** The body of its calls. */
export function payloadOf({ accountId, time, event }: Occurrence): string {
  // Parsed by receivers with the schema of WebhookEvent, which has a version of each type.
  const { type, data } = event;
  return JSON.stringify({ type, version: VERSION, timestamp: isoOf(time), accountId, data } as WebhookEvent);
}

export interface StreamSubject extends Subject {
  readonly streamName: string;
}

export function streamStarted(subject: StreamSubject): Occurrence {
  const data = { ...streamOf(subject), startedOn: isoOf(subject.time) };
  return ofStream(subject, { type: 'stream.started', data });
}

export function streamEnded(subject: StreamSubject, startedOn: number): Occurrence {
  const data = { ...streamOf(subject), startedOn: isoOf(startedOn), endedOn: isoOf(subject.time) };
  return ofStream(subject, { type: 'stream.ended', data });
}

export function firstViewer(subject: StreamSubject): Occurrence {
  return ofStream(subject, { type: 'stream.first_viewer', data: streamOf(subject) });
}

export function noViewers(subject: StreamSubject): Occurrence {
  return ofStream(subject, { type: 'stream.no_viewers', data: streamOf(subject) });
}

type DataOf<Type extends WebhookEventFields['type']> = Extract<WebhookEventFields, { type: Type }>['data'];

export interface RecordingFacts {
  readonly id: string;
  readonly kind: 'broadcast' | 'clip';
  readonly sourceId: string | null;
  readonly startedOn: number;
  readonly durationMs: number;
  readonly bytes: number;
  readonly container: 'mp4' | 'webm' | null;
}

export function recordingReady(subject: StreamSubject, recording: RecordingFacts): Occurrence {
  const { id: recordingId, kind, sourceId, startedOn, durationMs, bytes, container } = recording;
  const facts = { recordingId, kind, sourceId, startedOn: isoOf(startedOn), durationMs, bytes, container };
  return ofStream(subject, { type: 'recording.ready', data: { ...streamOf(subject), ...facts } });
}

export interface TokenSubject {
  readonly tokenId: number;
  readonly kind: 'publish' | 'subscribe';
  readonly label: string;
}

export function tokenFirstUsed(subject: StreamSubject, { tokenId, kind, label }: TokenSubject): Occurrence {
  const data = { tokenId, kind, label, ...streamOf(subject) };
  return occurrence(subject, `token ${tokenId}`, { type: 'token.first_used', data });
}

export function tokenExpiring(subject: Subject, token: TokenSubject, expiresOn: number): Occurrence {
  const { tokenId, kind, label } = token;
  const data = { tokenId, kind, label, expiresOn: isoOf(expiresOn) };
  return occurrence(subject, `token ${tokenId}`, { type: 'token.expiring', data });
}

export function sessionsRefused(subject: Subject, data: DataOf<'session.refused'>): Occurrence {
  return occurrence(subject, 'refusals', { type: 'session.refused', data });
}

/** The streams that one event lists. */
const MOST_STREAMS = 100;

/** A server that is lost, or was. */
export interface NodeSubject {
  readonly nodeId: string;
  readonly url: string | null;
  /** Milliseconds since 1970. */
  readonly lastSeenOn: number;
}

/** @param streamNames the streams of the account that were live there */
export function nodeLost(subject: Subject, node: NodeSubject, streamNames: readonly string[]): Occurrence {
  const streams = streamNames.slice(0, MOST_STREAMS).map((streamName) => streamOf({ ...subject, streamName }));
  const data = { ...nodeOf(node), streams, notListed: streamNames.length - streams.length };
  return ofNode(subject, node, { type: 'node.lost', data });
}

export function nodeReturned(subject: Subject, node: NodeSubject): Occurrence {
  return ofNode(subject, node, { type: 'node.returned', data: nodeOf(node) });
}

export function webhookTest(subject: Subject, webhookId: number): Occurrence {
  return occurrence(subject, '', { type: TEST_EVENT, data: { webhookId } });
}

function ofStream(subject: StreamSubject, event: WebhookEventFields): Occurrence {
  return occurrence(subject, `stream ${subject.streamName}`, event);
}

function ofNode(subject: Subject, { nodeId }: NodeSubject, event: WebhookEventFields): Occurrence {
  return occurrence(subject, `node ${nodeId}`, event);
}

function nodeOf({ nodeId, url, lastSeenOn }: NodeSubject) {
  return { nodeId, url, lastSeenOn: isoOf(lastSeenOn) };
}

function streamOf({ accountId, streamName }: StreamSubject) {
  return { streamName, streamId: streamIdOf(accountId, streamName) };
}

const isoOf = (time: number): string => new Date(time).toISOString();
