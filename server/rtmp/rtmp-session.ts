import {
  acknowledgement,
  callFailed,
  connectAnswer,
  createStreamAnswer,
  emptyAnswer,
  fcPublishAnswer,
  playFailed,
  publishDenied,
  publishStart,
  USER_CONTROL,
  userControl,
  WINDOW_BYTES,
} from './answers.js';
import { readAggregate } from './aggregate.js';
import { ChunkReader } from './chunk-reader.js';
import { readCommand, type RtmpCommand } from './commands.js';
import { Handshake } from './handshake.js';
import { refusalCodeOf, type RtmpFault, type RtmpFaultReason } from './rtmp-fault.js';
import { MESSAGE_TYPE, type RtmpMessage } from './rtmp-message.js';
import {
  CLOSE_TIMEOUT_MS,
  DECISION_TIMEOUT_MS,
  HANDSHAKE_TIMEOUT_MS,
  MEDIA_TIMEOUT_MS,
  PUBLISH_TIMEOUT_MS,
  timeoutOf,
  type RtmpConnect,
  type RtmpMedia,
  type RtmpState,
} from './rtmp-state.js';

/** Encoders send about 5 kB before they are accepted, and some do not wait for the decision. */
export const MAX_BYTES_BEFORE_ACCEPTANCE = 256 * 1024;
/** Encoders send six. Each is answered, so that the number limits what is kept for a peer that does not read. */
export const MAX_COMMANDS_BEFORE_ACCEPTANCE = 64;
/** Small messages need more memory than their bytes. */
const MAX_HELD_MESSAGES = 512;

export type RtmpEvent =
  /** Answer with `accept` or `refuse`. Each text can have a secret. */
  | { readonly name: 'publish-requested'; readonly app: string; readonly streamKey: string; readonly tcUrl: string }
  | RtmpMedia
  /** The encoder ended the stream, also one that awaits the decision. It closes the connection itself, or publishes again. */
  | { readonly name: 'unpublished' }
  /** Send what there is to send, then close the connection. */
  | { readonly name: 'closed'; readonly reason: 'refused' | RtmpFaultReason; readonly message: string };

/** What to do after each input: send these bytes, then handle the events in order. */
export interface RtmpStep {
  readonly send: Buffer;
  readonly events: readonly RtmpEvent[];
}

const TOO_MUCH: RtmpFault = {
  reason: 'too_much_before_acceptance',
  message: 'Too much was sent before the stream was accepted',
};
const PLAY_UNSUPPORTED = 'This server does not play over RTMP. Watch with the link of the stream';
const ALREADY_PUBLISHING = 'A connection publishes one stream at a time. Open another connection for another stream';

/**
 * The server's side of one connection on which an encoder publishes. It has no socket and no clock: bytes and times
 * come in, bytes and events go out. It never throws, and what it keeps is limited (`bufferedBytes`).
 */
export class RtmpSession {
  #state: RtmpState;
  #reader = new ChunkReader();
  #send: Buffer[] = [];
  #events: RtmpEvent[] = [];
  #bytesBeforeAcceptance = 0;
  #commandsBeforeAcceptance = 0;
  /** After the handshake. */
  #receivedBytes = 0;
  #acknowledgedBytes = 0;
  /** The encoder wants to know after so many bytes. Some do not say so, and stop if they are never told. */
  #window = WINDOW_BYTES;

  constructor(now: number) {
    this.#state = { name: 'handshake', handshake: new Handshake(), deadline: now + HANDSHAKE_TIMEOUT_MS };
  }

  get state(): RtmpState['name'] {
    return this.#state.name;
  }

  /** Memory that is kept for bytes of the peer. */
  get bufferedBytes(): number {
    const state = this.#state;
    const held = state.name === 'awaiting-decision' ? state.held : [];
    const handshake = state.name === 'handshake' ? state.handshake.bufferedBytes : 0;
    return handshake + this.#reader.bufferedBytes + held.reduce((sum, { payload }) => sum + payload.length, 0);
  }

  /** The caller must not write to these bytes again. */
  receive(bytes: Buffer, now: number): RtmpStep {
    if (this.#state.name === 'closed') return this.#step();
    if (
      this.#state.name !== 'publishing' &&
      (this.#bytesBeforeAcceptance += bytes.length) > MAX_BYTES_BEFORE_ACCEPTANCE
    ) {
      this.#fail(TOO_MUCH);
    }
    const rest = this.#state.name === 'handshake' ? this.#shakeHands(this.#state, bytes, now) : bytes;
    if (rest && rest.length > 0 && this.state !== 'closed') this.#readChunks(rest, now);
    return this.#step();
  }

  /** The encoder may publish. Without a request that waits, nothing happens. */
  accept(now: number): RtmpStep {
    if (this.#state.name !== 'awaiting-decision') return this.#step();
    this.#send.push(publishStart());
    const { connection, held } = this.#state;
    this.#events.push(...held);
    this.#state = { name: 'publishing', connection, deadline: now + MEDIA_TIMEOUT_MS };
    this.#bytesBeforeAcceptance = 0;
    this.#commandsBeforeAcceptance = 0;
    return this.#step();
  }

  /**
   * The encoder may not publish, or no longer.
   * @param code a stable word for programs
   * @param sentence for people. ffmpeg prints it, OBS logs it.
   */
  refuse(code: string, sentence: string): RtmpStep {
    if (this.#state.name !== 'awaiting-decision' && this.#state.name !== 'publishing') return this.#step();
    this.#send.push(publishDenied(code, sentence));
    this.#close('refused', sentence);
    return this.#step();
  }

  /** Ends a connection whose time is over. Call it about once a second. */
  tick(now: number): RtmpStep {
    const timeout = timeoutOf(this.#state, now);
    if (timeout) this.#fail(timeout);
    return this.#step();
  }

  /** @returns bytes after the handshake */
  #shakeHands({ handshake }: RtmpState & { name: 'handshake' }, bytes: Buffer, now: number): Buffer | undefined {
    const { send, rest, fault } = handshake.read(bytes, now);
    this.#send.push(send);
    if (fault) this.#fail(fault);
    else if (rest) this.#state = { name: 'connecting', deadline: now + PUBLISH_TIMEOUT_MS };
    return rest;
  }

  #readChunks(bytes: Buffer, now: number): void {
    this.#receivedBytes += bytes.length;
    const { messages, fault } = this.#reader.read(bytes);
    for (const message of messages) {
      if (this.state === 'closed') return;
      this.#handle(message, now);
    }
    if (this.state === 'closed') return;
    if (fault) return this.#fail(fault);
    if (this.#receivedBytes - this.#acknowledgedBytes >= this.#window) {
      this.#acknowledgedBytes = this.#receivedBytes;
      this.#send.push(acknowledgement(this.#receivedBytes));
    }
  }

  #handle(message: RtmpMessage, now: number): void {
    const { typeId, payload, timestamp } = message;
    switch (typeId) {
      case MESSAGE_TYPE.windowAcknowledgementSize:
        if (payload.length < 4) return this.#fail({ reason: 'control_invalid', message: 'A window has no size' });
        this.#window = payload.readUInt32BE() || WINDOW_BYTES;
        return;
      case MESSAGE_TYPE.userControl:
        if (payload.length < 6 || payload.readUInt16BE() !== USER_CONTROL.pingRequest) return;
        this.#send.push(userControl(USER_CONTROL.pingResponse, payload.readUInt32BE(2)));
        return;
      case MESSAGE_TYPE.amf0Command:
      case MESSAGE_TYPE.amf3Command: {
        const read = readCommand(message);
        return read.ok ? this.#obey(read.command, now) : this.#fail(read.fault);
      }
      case MESSAGE_TYPE.audio:
        return this.#media({ name: 'media', kind: 'audio', timestamp, payload }, now);
      case MESSAGE_TYPE.video:
        return this.#media({ name: 'media', kind: 'video', timestamp, payload }, now);
      case MESSAGE_TYPE.amf0Data:
        return this.#media({ name: 'media', kind: 'data', timestamp, payload }, now);
      case MESSAGE_TYPE.aggregate: {
        const parts = readAggregate(message);
        if (!parts) return this.#fail({ reason: 'aggregate_invalid', message: 'An aggregate message is broken' });
        for (const part of parts) if (this.state !== 'closed') this.#media({ name: 'media', ...part }, now);
        return;
      }
      case MESSAGE_TYPE.amf3Data:
        // Like a command of AMF3.
        return this.#media({ name: 'media', kind: 'data', timestamp, payload: payload.subarray(1) }, now);
    }
  }

  #media(media: RtmpMedia, now: number): void {
    switch (this.#state.name) {
      case 'publishing':
        if (media.kind !== 'data') this.#state = { ...this.#state, deadline: now + MEDIA_TIMEOUT_MS };
        this.#events.push(media);
        return;
      case 'awaiting-decision':
        if (this.#state.held.push(media) > MAX_HELD_MESSAGES) this.#fail(TOO_MUCH);
        return;
      case 'unpublished':
        // It was on its way.
        return;
      default:
        this.#fail({ reason: 'media_before_publish', message: 'Media came before the publish command' });
    }
  }

  #obey(command: RtmpCommand, now: number): void {
    const state = this.#state;
    if (command.name === 'play') {
      return this.#fail({ reason: 'play_unsupported', message: PLAY_UNSUPPORTED });
    }
    if (state.name === 'awaiting-decision' || state.name === 'publishing') {
      return this.#obeyPublisher(command, state.connection, now);
    }
    if (++this.#commandsBeforeAcceptance > MAX_COMMANDS_BEFORE_ACCEPTANCE) {
      return this.#fail({ reason: 'too_many_commands', message: 'Too many commands came before publish' });
    }
    if (command.name === 'connect' && state.name === 'connecting') {
      this.#send.push(connectAnswer(command.transactionId));
      const { app, tcUrl } = command;
      this.#state = { name: 'connected', connection: { app, tcUrl }, deadline: state.deadline };
      return;
    }
    if (state.name !== 'connected' && state.name !== 'stream-created' && state.name !== 'unpublished') {
      return this.#outOfOrder(command);
    }
    const { connection } = state;
    switch (command.name) {
      case 'createStream': {
        this.#send.push(createStreamAnswer(command.transactionId));
        const deadline = state.name === 'unpublished' ? now + PUBLISH_TIMEOUT_MS : state.deadline;
        this.#state = { name: 'stream-created', connection, deadline };
        return;
      }
      case 'publish':
        if (state.name === 'connected') return this.#outOfOrder(command);
        this.#state = { name: 'awaiting-decision', connection, held: [], deadline: now + DECISION_TIMEOUT_MS };
        this.#events.push({ name: 'publish-requested', ...connection, streamKey: command.streamKey });
        return;
      case 'FCPublish':
        this.#send.push(fcPublishAnswer(command.transactionId));
        return;
      case 'releaseStream':
      case 'FCUnpublish':
        this.#send.push(emptyAnswer(command.transactionId));
        return;
      case 'other':
        if (command.transactionId > 0) this.#send.push(callFailed(command.transactionId));
        return;
      case 'deleteStream':
      case 'closeStream':
        // After FCUnpublish it is the second command that ends the same stream.
        if (state.name !== 'unpublished') this.#unpublish(connection, now);
        return;
      default:
        return this.#outOfOrder(command);
    }
  }

  /** Only the end matters now. Nothing else is answered, so that a publisher cannot make us keep answers. */
  #obeyPublisher({ name }: RtmpCommand, connection: RtmpConnect, now: number): void {
    if (name === 'FCUnpublish' || name === 'deleteStream' || name === 'closeStream') this.#unpublish(connection, now);
    if (name !== 'publish') return;
    this.#fail({ reason: 'already_publishing', message: ALREADY_PUBLISHING });
  }

  #unpublish(connection: RtmpConnect, now: number): void {
    this.#state = { name: 'unpublished', connection, deadline: now + CLOSE_TIMEOUT_MS };
    this.#events.push({ name: 'unpublished' });
  }

  #outOfOrder({ name }: RtmpCommand): void {
    this.#fail({ reason: 'command_out_of_order', message: `The command ${name} came too early or twice` });
  }

  /** Ends the connection, with a sentence for the person at the encoder. */
  #fail({ reason, message }: RtmpFault): void {
    const { name } = this.#state;
    // Before the answer to connect, encoders read chunks of another size. After the end of a stream, nobody looks.
    const canRead = name !== 'handshake' && name !== 'connecting' && name !== 'unpublished' && name !== 'closed';
    if (reason === 'play_unsupported') this.#send.push(playFailed(message));
    else if (canRead) this.#send.push(publishDenied(refusalCodeOf(reason), message));
    this.#close(reason, message);
  }

  #close(reason: (RtmpEvent & { name: 'closed' })['reason'], message: string): void {
    if (this.#state.name === 'closed') return;
    this.#state = { name: 'closed' };
    this.#reader = new ChunkReader();
    this.#events.push({ name: 'closed', reason, message });
  }

  #step(): RtmpStep {
    const step = { send: Buffer.concat(this.#send), events: this.#events };
    this.#send = [];
    this.#events = [];
    return step;
  }
}
