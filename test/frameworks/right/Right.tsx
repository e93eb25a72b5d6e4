import { useEffect, useRef } from 'react';
import type { StreamViewerElement } from 'streamgate/elements';
import { StreamBroadcaster, StreamViewer } from 'streamgate/react';

const provider = async () => 'sesame';

/** Everything here must pass the type check. */
export function Right() {
  const viewer = useRef<StreamViewerElement>(null);
  useEffect(() => viewer.current?.retry(), []);
  return (
    <>
      <StreamViewer
        autoplay
        ref={viewer}
        key="one"
        id="stage"
        className="large"
        style={{ color: 'red' }}
        aria-label="The stage"
        data-clip="1"
        accountId="main"
        volume={0.5}
        quality={720}
        tokenProvider={provider}
        onVolumeChange={(event) => event.type}
        onError={(event) => event.type}
        onClick={(event) => event.clientX}
      />
      <StreamBroadcaster maxBitrate={1} simulcast codec="vp9" messages={{ live: 'On air' }} />
      <stream-viewer
        autoplay
        account-id="main"
        stream-name="keynote"
        controls
        tokenProvider={provider}
        nohotkeys
        onstream-live={(event) => event.streamName}
      />
      <stream-broadcaster no-auto-open camera-off resolution="auto" />
    </>
  );
}
