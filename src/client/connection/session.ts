import type { GrantSource } from '../authorization/grant-source.js';
import type { Grant } from '../authorization/director.js';
import { StreamError, UnreachableError } from '../errors.js';
import { watchMediaPath } from './media-path.js';
import { field, list, text } from '../decode.js';
import { preconnect } from './preconnect.js';
import { openSignalling, endedError, type SignallingConnection, type SignallingOptions } from './signalling.js';

export interface SessionOptions {
  readonly admission: GrantSource;
  /** Called first, for each way in that is tried. The session closes what it gets. */
  readonly openPeer: () => RTCPeerConnection;
  /** Last touch on an offer, before the browser and the server see it. */
  readonly shapeOffer?: (sdp: string) => string;
  /** The command that carries the offer; `sdp` is added to its data. `view` goes with the director's call, too. */
  readonly command: { readonly name: 'view' | 'publish'; readonly data: object };
  /** The last command of who leaves for good. */
  readonly farewell?: string;
  readonly onAdmitted?: (grant: Grant) => void;
  /** The service took the offer. Commands wait for the websocket where that is not there yet. */
  readonly onAnswer?: (signalling: SignallingConnection) => void;
  /** Every event but `stopped` and `migrate`; some come before `onConnected`. */
  readonly onEvent: (name: string, data: unknown) => void;
  /** This session will end soon. */
  readonly onMigrate: () => void;
  /** Media can flow. */
  readonly onConnected: () => void;
}

const CONNECT_WITHIN_MS = 15_000;
/** Who has another way in does not wait long at the first. */
const RETURN_WITHIN_MS = 5_000;

/**
 * One session from the way in to its end: it never resolves. Where the last one left a way back, that is tried
 * first, and the director is asked only when it is refused.
 *
 * @param signal must abort once this is over, too: it closes socket and peer
 * @throws {StreamError} why it ended
 */
export async function runSession(plan: SessionOptions, signal: AbortSignal): Promise<never> {
  try {
    return await comeIn(plan, signal);
  } catch (error) {
    throw plan.admission.asRetryable(error);
  }
}

async function comeIn(plan: SessionOptions, signal: AbortSignal): Promise<never> {
  const back = plan.admission.takeResumeGrant();
  if (back) {
    const life = new AbortController();
    const late = setTimeout(() => life.abort(), RETURN_WITHIN_MS);
    let isIn = false;
    const onAnswer = (signalling: SignallingConnection): void => {
      clearTimeout(late);
      isIn = true;
      plan.onAnswer?.(signalling);
    };
    try {
      return await enter({ ...plan, onAnswer }, AbortSignal.any([signal, life.signal]), back);
    } catch (error) {
      if (isIn || signal.aborted) throw error;
    } finally {
      clearTimeout(late);
      life.abort();
    }
  }
  return enter(plan, signal);
}

function enter(plan: SessionOptions, signal: AbortSignal, back?: Grant): Promise<never> {
  return new Promise((_, end) => {
    signal.addEventListener('abort', () => end(signal.reason), { once: true });
    connect(plan, signal, end, back).catch(end);
  });
}

/** What can run side by side does: the time to the first picture is the sum of what cannot. */
async function connect(
  plan: SessionOptions,
  signal: AbortSignal,
  end: (why: StreamError) => void,
  back: Grant | undefined,
): Promise<void> {
  const { admission, command, shapeOffer = (sdp) => sdp } = plan;
  const heard = {
    signal,
    farewell: plan.farewell,
    onEvent: (name: string, data: unknown): void => {
      if (name === 'stopped') end(endedError(text(data, 'code'), text(data, 'message')));
      else if (name === 'migrate') {
        // The director names the place to go to.
        admission.takeResumeGrant();
        plan.onMigrate();
      } else plan.onEvent(name, data);
    },
  };
  const peer = plan.openPeer();
  // After the goodbye on the socket: whose media ends before it is taken for lost, and his name is kept from everybody.
  signal.addEventListener('abort', () => queueMicrotask(() => peer.close()), { once: true });
  const describe = (sdp: string) => peer.setLocalDescription({ type: 'offer', sdp });
  const makeOffer = async (): Promise<string> => shapeOffer((await peer.createOffer()).sdp!);
  if (back) useIceServers(peer, back);
  const offering = makeOffer();
  // The browser takes it, and looks for its addresses, while the service is asked.
  const describing = offering.then(describe);
  const { preconnectUrl } = admission;
  const along = async () => (command.name === 'view' ? { view: { ...command.data, sdp: await offering } } : {});
  const asking = back ?? admission.request(signal, along);
  // After the peer, which a browser takes longest to make ready.
  const enterEarly = back || preconnectUrl === undefined ? undefined : preconnect(preconnectUrl, heard);
  const [offer, grant] = await Promise.all([offering, asking, describing]);
  // Who left while the browser was at it wants no websocket any more.
  signal.throwIfAborted();
  plan.onAdmitted?.(grant);
  if (!back && grant.iceServers?.length) {
    // They count for what is described from then on (JSEP, RFC 9429 4.1.18).
    await peer.setLocalDescription({ type: 'rollback' });
    useIceServers(peer, grant);
    await describe(offer);
  }

  let isMediaAwaited = false;
  const deadline = setTimeout(() => end(tooLate(isMediaAwaited)), CONNECT_WITHIN_MS);
  signal.addEventListener('abort', () => clearTimeout(deadline), { once: true });
  /** What the first command shows on a websocket that came without a grant. */
  let shown: object | undefined;
  const opening = (async () => {
    const early = await enterEarly?.(grant, end);
    shown = early && { grant: grant.jwt };
    const withinMs = (back ? RETURN_WITHIN_MS : CONNECT_WITHIN_MS) / grant.urls.length;
    const socket = early ?? (await openFirst(grant, { ...heard, withinMs, onLost: end }));
    if (grant.view) await socket.command('attach', { ...shown });
    return socket;
  })();
  opening.catch(end);
  const signalling: SignallingConnection = { command: async (name, data) => (await opening).command(name, data) };

  const accept = async (answer: unknown, name: string): Promise<void> => {
    const sdp = text(answer, 'sdp');
    if (sdp === undefined) {
      throw new StreamError('malformed_answer', `The answer to "${name}" cannot be read`);
    }
    await peer.setRemoteDescription({ type: 'answer', sdp });
  };

  const answer = grant.view ?? (await (await opening).command(command.name, { ...command.data, sdp: offer, ...shown }));
  isMediaAwaited = true;
  watchMediaPath(peer, signal, {
    onConnected: () => {
      isMediaAwaited = false;
      opening.then(() => clearTimeout(deadline), end);
      admission.renewToken(signal, plan.onMigrate);
      plan.onConnected();
    },
    onLost: end,
    renew: async () => {
      // The picture plays on until another session has one.
      if (keepsItsKeys(offer)) return plan.onMigrate();
      peer.restartIce();
      const sdp = await makeOffer();
      const renewed = await signalling.command('renew', { sdp });
      // Not before, and both at once: between the two, the browser calls at the old path by its new name, and a service
      // may take the address it comes from for that path's from then on.
      await Promise.all([describe(sdp), accept(renewed, 'renew')]);
    },
  });
  // The browser is at it while everything else hears of it.
  const accepting = accept(answer, command.name);
  admission.keepResumeGrant(grant, answer);
  plan.onAnswer?.(signalling);
  for (const event of list(answer, 'events')) heard.onEvent(text(event, 'name') ?? '', field(event, 'data'));
  await accepting;
}

/**
 * Opens a websocket at the first address of the grant where somebody answers, in the order that the director gave.
 * @throws {UnreachableError} nobody does
 */
async function openFirst({ urls, jwt }: Grant, options: SignallingOptions): Promise<SignallingConnection> {
  let thrown: unknown;
  for (const url of urls) {
    try {
      return await openSignalling(`${url}?token=${jwt}`, options);
    } catch (error) {
      thrown = error;
    }
  }
  throw thrown;
}

/** Else the answer was waited for, or the websocket. */
function tooLate(isMediaAwaited: boolean): StreamError {
  return isMediaAwaited
    ? new UnreachableError('Media cannot get through; a firewall may block UDP', 'media_lost')
    : new UnreachableError('The streaming service does not answer');
}

/**
 * Whether the browser goes on with the keys that it has when its path is another one, though the answer names another
 * certificate (RFC 8842 section 5): Firefox does, as of 153, and then can read nothing that comes.
 */
const keepsItsKeys = (offer: string): boolean => /^o=mozilla/m.test(offer);

function useIceServers(peer: RTCPeerConnection, { iceServers = [] }: Grant): void {
  if (iceServers.length > 0)
    peer.setConfiguration({ ...peer.getConfiguration(), iceServers: iceServers as RTCIceServer[] });
}
