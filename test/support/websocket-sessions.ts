import { sdpOffer } from './media/offer.js';
import { askDirector, openSocket, type TestClient, type TestServer } from './stream-server.js';

/** Websocket clients of the stream `main`. */
export function websocketSessions(app: () => TestServer) {
  const openPublisher = async (body: object = {}, token?: string) =>
    openSocket(
      await askDirector(app(), 'publish', token ?? (await app().token('publish')), {
        streamName: 'main',
        streamAccountId: 'main',
        ...body,
      }),
    );
  const openViewer = async (token?: string) =>
    openSocket(await askDirector(app(), 'subscribe', token ?? (await app().token('subscribe'))));

  return {
    openPublisher,
    openViewer,
    /** A publisher and the answer to its `publish`. */
    async publish(
      data: object = {},
      call: object = {},
      token?: string,
    ): Promise<{ publisher: TestClient; answer: PublishAnswer }> {
      const publisher = await openPublisher(call, token);
      const { type, data: answer } = await publisher.command('publish', { ...publishing, ...data });
      if (type !== 'response') throw new Error(`publish was refused: ${answer}`);
      return { publisher, answer };
    },
    /** A viewer and the answer to its `view`. */
    async view(data: object = {}, token?: string): Promise<{ viewer: TestClient; answer: ViewAnswer }> {
      const viewer = await openViewer(token);
      const { type, data: answer } = await viewer.command('view', { ...viewing, ...data });
      if (type !== 'response') throw new Error(`view was refused: ${answer}`);
      return { viewer, answer };
    },
    /** Opens a websocket with the resume token of an answer. */
    resume: (role: 'pub' | 'sub', resumeToken: string) =>
      openSocket({
        status: 200,
        headers: new Headers(),
        body: { data: { urls: [`ws://127.0.0.1:${app().port}/ws/v2/${role}/${'0'.repeat(32)}`], jwt: resumeToken } },
      }),
  };
}

interface PublishAnswer {
  readonly sdp: string;
  readonly publisherId: string;
  readonly sessionKey: string;
  readonly resumeToken: string;
}

interface ViewAnswer {
  readonly sdp: string;
  readonly type?: string;
  readonly subscriberId: string;
  readonly resumeToken: string;
}

export const publishing = { name: 'main', sdp: sdpOffer({ direction: 'sendonly' }), codec: 'vp8' };
export const viewing = { streamId: 'main', sdp: sdpOffer() };
