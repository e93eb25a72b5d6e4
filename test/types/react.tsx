// Compiled, never run: what TypeScript knows of the components, and of the plain tags in JSX.
import { createRef, type JSX } from 'react';
import type { StreamViewerElement } from '../../src/elements.js';
import { StreamBroadcaster, StreamViewer } from '../../src/react.js';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <_Fact extends true>(): void => {};

const ref = createRef<StreamViewerElement>();

export const components = (
  <>
    <StreamViewer
      autoplay
      ref={ref}
      className="stage"
      accountId="main"
      streamName="keynote"
      token={undefined}
      tokenProvider={async ({ streamName }) => streamName}
      messages={{ waiting: ['Soon', 'At eight.'] }}
      onStreamLive={({ streamName }) => holds<Same<typeof streamName, string>>()}
      onStreamRejected={({ reason, message }) => `${reason}: ${message}`}
      onStreamViewerCount={({ viewers }) => holds<Same<typeof viewers, number>>()}
      muted
      volume={0.5}
      onVolumeChange={(event) => holds<Same<typeof event, Event>>()}
      onClick={({ currentTarget }) => void currentTarget.retry()}
    >
      <p slot="waiting">We begin at eight.</p>
    </StreamViewer>
    <StreamBroadcaster
      streamName="keynote"
      codec="h264"
      simulcast={false}
      onStreamEnded={({ streamName }) => streamName}
      onStreamCaptureError={({ error }) => error.code}
    />
    {/* @ts-expect-error: there is no such property */}
    <StreamViewer streamNames="keynote" />
    {/* @ts-expect-error: there is no such codec */}
    <StreamBroadcaster codec="h263" />
    {/* @ts-expect-error: where it stands can only be read */}
    <StreamViewer phase={{ name: 'idle' }} />
    {/* @ts-expect-error: how long it is can only be read */}
    <StreamViewer duration={7} />
    {/* @ts-expect-error: methods are called */}
    <StreamViewer retry={() => {}} />
    {/* @ts-expect-error: a broadcaster does not wait */}
    <StreamBroadcaster onStreamWaiting={() => {}} />
  </>
);

// TypeScript accepts every name with a hyphen in JSX, so that the names are compared instead.
type AttributesOf<Tag extends keyof JSX.IntrinsicElements> = keyof JSX.IntrinsicElements[Tag];
holds<Same<Extract<AttributesOf<'stream-viewer'>, 'nohotkeys' | 'no-hotkeys' | 'default-muted'>, 'nohotkeys'>>();
holds<Same<Extract<AttributesOf<'stream-broadcaster'>, 'camera-off' | 'camera-enabled'>, 'camera-off'>>();

export const tags = (
  <>
    <stream-viewer
      autoplay
      account-id="main"
      stream-name="keynote"
      class="stage"
      tokenProvider={async () => 'sesame'}
      onstream-live={({ streamName }) => holds<Same<typeof streamName, string>>()}
    >
      <p slot="waiting">We begin at eight.</p>
    </stream-viewer>
    <stream-broadcaster stream-name="keynote" codec="vp9" simulcast camera-off no-echo-cancellation no-auto-open />
    <stream-broadcaster cameraEnabled={false} onstream-camera-change={({ enabled }) => enabled} />
    <stream-viewer nohotkeys noautohide gesturesdisabled muted quality={720} />
    <stream-broadcaster microphone-off no-noise-suppression audio-device-id="default" resolution="auto" />
    {/* @ts-expect-error: there is no such attribute */}
    <stream-viewer stream="keynote" />
    {/* @ts-expect-error: a boolean attribute takes no text */}
    <stream-viewer nohotkeys="false" />
    {/* @ts-expect-error: a boolean attribute takes no text */}
    <stream-broadcaster camera-off="true" />
  </>
);
