import type { CommandAnswer } from '../../wire/websocket/server-message.js';
import type { StoppedEvent } from '../../wire/websocket/stream-events.js';
import type { Grant } from '../authorization/director.js';
import type { GrantSource } from '../authorization/grant-source.js';
import { UnreachableError, type StreamError } from '../errors.js';
import { field, list, text, type Unread } from '../unread.js';
import { watchMediaPath } from './media-path.js';
import { applyAnswer, applyOffer, createOffer, keepsDtlsKeys, useIceServers, type ShapeOffer } from './negotiation.js';
import { preconnect } from './preconnect.js';
import { watchSilence } from './silence.js';
import { endedError, openFirstSignalling, type SignallingConnection, type SignallingOptions } from './signalling.js';

export interface SessionOptions {
  readonly grants: GrantSource;
  /**
   * Called first in each attempt, and again if the server makes the offer, which then adds the transceivers. The session
   * closes the connections.
   */
  readonly openPeer: (isOffered?: boolean) => RTCPeerConnection;
  readonly shapeOffer?: ShapeOffer;
  /** The command that carries the offer; `sdp` is added to its data. `view` is also sent with the director's call. */
  readonly command: { readonly name: 'view' | 'publish'; readonly data: object };
  readonly lastCommands?: SignallingOptions['lastCommands'];
  readonly onAdmitted: (grant: Grant) => void;
  /** Called when the server has answered the offer. Commands wait until the websocket is open. */
  readonly onAnswer: (signalling: SignallingConnection, answer: Unread<CommandAnswer>) => void;
  /** Called for every event except `stopped`, `migrate` and `waiting`. Some arrive before `onConnected`. */
  readonly onEvent: (name: string, data: unknown) => void;
  /** Called when another session has to replace this one: it ends soon, or its media path cannot be renewed. */
  readonly onMigrate: () => void;
  /** Called when media can flow, and before that when the server has a viewer wait until the stream is live. */
  readonly onConnected: () => void;
}

const CONNECT_TIMEOUT_MS = 15_000;
/** Shorter, because the director is asked next. */
const RESUME_TIMEOUT_MS = 5_000;

/**
 * Runs one session, from the grant until the connection is lost. It never resolves. If the previous session left a
 * resume grant, that is tried first. If the server refuses the resume grant, the director is asked.
 *
 * @param signal closes the websocket and the RTCPeerConnection; abort it after the session, too
 * @throws {StreamError} why the session ended
 */
export async function runSession(options: SessionOptions, signal: AbortSignal): Promise<never> {
  const { grants } = options;
  const resumeGrant = grants.takeResumeGrant();
  try {
    if (resumeGrant) {
      const resuming = new AbortController();
      const timeout = setTimeout(() => resuming.abort(), RESUME_TIMEOUT_MS);
      let isResumed = false;
      const onAnswer: SessionOptions['onAnswer'] = (...answered) => {
        clearTimeout(timeout);
        isResumed = true;
        options.onAnswer(...answered);
      };
      const resumed = start({ ...options, onAnswer }, AbortSignal.any([signal, resuming.signal]), resumeGrant);
      await resumed.catch((error: unknown) => {
        if (isResumed || signal.aborted) throw error;
      });
      resuming.abort();
    }
    return await start(options, signal);
  } catch (error) {
    throw grants.asRetryable(error);
  }
}

function start(options: SessionOptions, signal: AbortSignal, resumeGrant?: Grant): Promise<never> {
  return new Promise((_, end) => {
    signal.addEventListener('abort', () => end(signal.reason));
    connect(options, signal, end, resumeGrant).catch(end);
  });
}

type End = (why: StreamError) => void;

/** The stages of a session. Stages that do not need each other run at the same time, so that playback starts sooner. */
async function connect(options: SessionOptions, signal: AbortSignal, end: End, resumeGrant?: Grant): Promise<void> {
  const { grants, shapeOffer = (sdp) => sdp, command, lastCommands, onConnected, onMigrate } = options;
  let peer = options.openPeer();
  // Close the socket first. If media stops first, the server treats the publisher as lost and keeps the source.
  signal.addEventListener('abort', () => queueMicrotask(() => peer.close()));
  const onEvent = (name: string, data: unknown): void => {
    if (name === 'stopped') {
      const stopped = data as Unread<StoppedEvent>;
      end(endedError(text(stopped, 'code'), text(stopped, 'message')));
    } else if (name === 'migrate') {
      // Only the director knows the new address.
      grants.takeResumeGrant();
      onMigrate();
    } else if (name === 'waiting') {
      // The answer comes when the stream is live. From then on, ICE has a time limit of its own.
      clearTimeout(deadline);
      onConnected();
    } else options.onEvent(name, data);
  };
  const socketOptions = { signal, lastCommands, onEvent };

  useIceServers(peer, resumeGrant?.iceServers);
  const offering = createOffer(peer, shapeOffer);
  const offered = offering.then((sdp) => applyOffer(peer, sdp));
  const { preconnectUrl } = grants;
  const view = async () => (command.name === 'view' ? { view: { ...command.data, sdp: await offering } } : {});
  const requesting = resumeGrant ?? grants.request(signal, view);
  // After the RTCPeerConnection, because the offer takes the browser the longest time.
  const adopt = resumeGrant || !preconnectUrl ? undefined : preconnect(preconnectUrl, socketOptions);
  const [offer, grant] = await Promise.all([offering, requesting, offered]);
  signal.throwIfAborted();
  options.onAdmitted(grant);
  if (!resumeGrant && grant.iceServers?.length) {
    // ICE servers apply to later offers only (RFC 9429 4.1.18), so the offer is applied again.
    await peer.setLocalDescription({ type: 'rollback' });
    useIceServers(peer, grant.iceServers);
    await applyOffer(peer, offer);
  }

  const deadline = setTimeout(() => end(timeoutError(peer)), CONNECT_TIMEOUT_MS);
  signal.addEventListener('abort', () => clearTimeout(deadline));
  const timeoutMs = resumeGrant ? RESUME_TIMEOUT_MS : CONNECT_TIMEOUT_MS;
  const join = async (): Promise<SignallingConnection> => {
    const signalling =
      (await adopt?.(grant, end)) ?? (await openFirstSignalling(grant, { ...socketOptions, timeoutMs, onLost: end }));
    // The session started with the director's call. This attaches the websocket to it.
    if (grant.view) await signalling.command('attach', {});
    return signalling;
  };
  const joining = join();
  joining.catch(end);
  const signalling: SignallingConnection = {
    // The websocket of a lost session answers no command.
    command: async (...command) => (signal.aborted ? undefined : (await joining).command(...command)),
  };

  const answer = (grant.view ??
    (await signalling.command(command.name, { ...command.data, sdp: offer }))) as Unread<CommandAnswer>;
  const isOffer = text(answer, 'type') === 'offer';
  if (isOffer) {
    // A rolled back offer would leave transceivers that never receive.
    peer.close();
    peer = options.openPeer(true);
    useIceServers(peer, grant.iceServers);
  }
  watchMediaPath(peer, signal, {
    onConnected: () => {
      joining.then(() => clearTimeout(deadline), end);
      grants.renewToken(signal, onMigrate);
      onConnected();
    },
    onLost: end,
    renew: async () => {
      // The picture stays until the next session has one.
      if (isOffer || keepsDtlsKeys(offer)) return onMigrate();
      peer.restartIce();
      const sdp = await createOffer(peer, shapeOffer);
      const renewed = (await signalling.command('renew', { sdp })) as Unread<CommandAnswer>;
      // Apply both descriptions together, and only now. In between, STUN checks carry the new ufrag over the old path,
      // and a server may latch onto that address.
      await Promise.all([applyOffer(peer, sdp), applyAnswer(peer, renewed, 'answer')]);
    },
  });
  const applying = applyAnswer(peer, answer, isOffer ? 'offer' : 'answer');
  grants.keepResumeGrant(grant, answer);
  // A server of another kind may leave a command that it does not know without an answer.
  if (text(answer, 'resumeToken')) void watchSilence(peer, signalling, signal, end);
  options.onAnswer(signalling, answer);
  for (const event of list(grant.view, 'events')) onEvent(text(event, 'name') ?? '', field(event, 'data'));
  await applying;
  if (!isOffer) return;
  const sdp = shapeOffer((await peer.createAnswer()).sdp!);
  await peer.setLocalDescription({ type: 'answer', sdp });
  await signalling.command('answer', { sdp });
}

/** Either media does not arrive, or the server does not answer. */
function timeoutError({ remoteDescription, connectionState }: RTCPeerConnection): StreamError {
  return remoteDescription && connectionState !== 'connected'
    ? new UnreachableError('No media arrives', 'media_lost')
    : new UnreachableError('The server does not answer');
}
