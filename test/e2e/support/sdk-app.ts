import type { Page } from '@playwright/test';
import { whenThereIsRoom } from '../../support/when-there-is-room.ts';

/** The part of the SDK's global that the page calls. */
interface Sdk {
  Director: {
    setEndpoint(origin: string): void;
    getPublisher(options: object): Promise<object>;
    getSubscriber(options: object): Promise<object>;
  };
  Publish: new (streamName: string, tokenGenerator: () => Promise<object>) => SdkPublisher;
  View: new (
    streamName: string,
    tokenGenerator: () => Promise<object>,
  ) => SdkConnection & {
    select(layer?: object): Promise<void>;
    project(sourceId: string | null, mapping: readonly object[]): Promise<void>;
    unproject(mediaIds: readonly string[]): Promise<void>;
    addRemoteTrack(kind: string, streams: readonly MediaStream[]): Promise<RTCRtpTransceiver>;
  };
}

interface SdkConnection {
  connect(options?: object): Promise<void>;
  stop(): void;
  on(event: 'track', listener: (event: RTCTrackEvent) => void): void;
  on(event: 'broadcastEvent', listener: (event: SdkEvent) => void): void;
  getRTCPeerConnection(): RTCPeerConnection;
}

interface SdkPublisher extends SdkConnection {
  record(): Promise<void>;
  unrecord(): Promise<void>;
}

export interface SdkEvent {
  readonly name: string;
  readonly data: ReturnType<typeof JSON.parse>;
}

export interface PublishOptions {
  readonly origin: string;
  readonly streamName: string;
  readonly token: string;
  /** The size of the fake camera's picture. */
  readonly size?: { readonly width: number; readonly height: number };
  /** The options of `connect`. */
  readonly options?: object;
}

export interface ViewOptions {
  readonly origin: string;
  readonly streamName: string;
  readonly token?: string | undefined;
  readonly options?: object;
}

/** An application that uses the SDK. Runs in the page after the SDK, and can use nothing of this module. */
export function installSdkApp(): void {
  const { Director, Publish, View } = (window as unknown as { millicast: Sdk }).millicast;
  const events: SdkEvent[] = [];
  let publisher: SdkPublisher | undefined;
  let view: InstanceType<typeof View>;

  /** A video in the shadow root of an element, where `expectMovingPicture` and others expect it. */
  const videoIn = (tag: string): HTMLVideoElement => {
    const element = document.querySelector(tag) ?? document.body.appendChild(document.createElement(tag));
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const video = root.querySelector('video') ?? root.appendChild(document.createElement('video'));
    video.muted = video.autoplay = true;
    return video;
  };
  const listen = (connection: SdkConnection): void =>
    connection.on('broadcastEvent', ({ name, data }) => events.push({ name, data }));

  const app = {
    events,
    async publish({ origin, streamName, token, size, options }: PublishOptions): Promise<void> {
      Director.setEndpoint(origin);
      publisher = new Publish(streamName, () => Director.getPublisher({ token, streamName }));
      listen(publisher);
      const video = size ? { width: size.width, height: size.height } : true;
      const mediaStream = await navigator.mediaDevices.getUserMedia({ audio: true, video });
      await publisher.connect({ mediaStream, ...options });
    },
    /** The SDK itself sends all layers in one size, so its applications call this. */
    async scaleLayers(): Promise<void> {
      const sender = publisher!
        .getRTCPeerConnection()
        .getSenders()
        .find(({ track }) => track?.kind === 'video')!;
      const parameters = sender.getParameters();
      parameters.encodings.forEach((encoding, index) => (encoding.scaleResolutionDownBy = 2 ** (2 - index)));
      await sender.setParameters(parameters);
    },
    stopPublishing: (): void => publisher!.stop(),
    record: (): Promise<void> => publisher!.record(),
    unrecord: (): Promise<void> => publisher!.unrecord(),
    async view({ origin, streamName, token, options }: ViewOptions): Promise<void> {
      Director.setEndpoint(origin);
      view = new View(streamName, () =>
        Director.getSubscriber({ streamName, streamAccountId: 'main', subscriberToken: token }),
      );
      listen(view);
      const video = videoIn('sdk-viewer');
      // Later tracks belong to m-lines that were added.
      view.on('track', (event) => (video.srcObject ??= event.streams[0] ?? null));
      await view.connect(options);
    },
    select: (layer?: object): Promise<void> => view.select(layer),
    project: (sourceId: string | null, mapping: readonly object[]): Promise<void> => view.project(sourceId, mapping),
    unproject: (mediaIds: readonly string[]): Promise<void> => view.unproject(mediaIds),
    /** Shows another source beside the first. Returns its mid. */
    async showBeside(sourceId: string): Promise<string> {
      const stream = new MediaStream();
      const { mid } = await view.addRemoteTrack('video', [stream]);
      videoIn('sdk-second').srcObject = stream;
      await view.project(sourceId, [{ trackId: '0', media: 'video', mediaId: mid }]);
      return mid!;
    },
  };
  Object.assign(window, { app });
}

type App = {
  events: SdkEvent[];
  publish(options: PublishOptions): Promise<void>;
  scaleLayers(): Promise<void>;
  stopPublishing(): void;
  record(): Promise<void>;
  unrecord(): Promise<void>;
  view(options: ViewOptions): Promise<void>;
  select(layer?: object): Promise<void>;
  project(sourceId: string | null, mapping: readonly object[]): Promise<void>;
  unproject(mediaIds: readonly string[]): Promise<void>;
  showBeside(sourceId: string): Promise<string>;
};

/** Controls the application of a page. */
export class SdkApp {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  publish(options: PublishOptions): Promise<void> {
    return whenThereIsRoom(() =>
      this.page.evaluate((argument) => (window as unknown as { app: App }).app.publish(argument), options),
    );
  }

  scaleLayers(): Promise<void> {
    return this.page.evaluate(() => (window as unknown as { app: App }).app.scaleLayers());
  }

  stopPublishing(): Promise<void> {
    return this.page.evaluate(() => (window as unknown as { app: App }).app.stopPublishing());
  }

  record(): Promise<void> {
    return this.page.evaluate(() => (window as unknown as { app: App }).app.record());
  }

  unrecord(): Promise<void> {
    return this.page.evaluate(() => (window as unknown as { app: App }).app.unrecord());
  }

  view(options: ViewOptions): Promise<void> {
    return whenThereIsRoom(() =>
      this.page.evaluate((argument) => (window as unknown as { app: App }).app.view(argument), options),
    );
  }

  select(layer?: object): Promise<void> {
    return this.page.evaluate((selected) => (window as unknown as { app: App }).app.select(selected), layer);
  }

  project(sourceId: string | null, mapping: readonly object[]): Promise<void> {
    return this.page.evaluate(([source, lines]) => (window as unknown as { app: App }).app.project(source, lines), [
      sourceId,
      mapping,
    ] as const);
  }

  unproject(mediaIds: readonly string[]): Promise<void> {
    return this.page.evaluate((mids) => (window as unknown as { app: App }).app.unproject(mids), mediaIds);
  }

  showBeside(sourceId: string): Promise<string> {
    return this.page.evaluate((source) => (window as unknown as { app: App }).app.showBeside(source), sourceId);
  }

  /** The data of each received event with this name. */
  async eventData(name: string): Promise<SdkEvent['data'][]> {
    const events = await this.page.evaluate(() => (window as unknown as { app: App }).app.events);
    return events.filter((event) => event.name === name).map(({ data }) => data);
  }
}
