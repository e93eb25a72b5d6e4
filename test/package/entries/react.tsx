import { StreamBroadcaster, StreamViewer } from 'streamgate/react';
import { holds, type Same } from './same.js';

export const components = (
  <>
    <StreamViewer
      streamName="keynote"
      onStreamLive={(event) => holds<Same<typeof event.streamName, string>>()}
      onStreamRejected={(event) => holds<Same<typeof event.message, string>>()}
      onStreamViewerCount={(event) => holds<Same<typeof event.viewers, number>>()}
      onVolumeChange={(event) => holds<Same<typeof event, Event>>()}
      ref={(viewer) => viewer?.retry()}
    />
    <StreamBroadcaster codec="vp9" onStreamError={(event) => holds<Same<typeof event.error.retryable, boolean>>()} />
    {/* @ts-expect-error: an event of this name has no such field */}
    <StreamViewer onStreamLive={(event) => event.viewers} />
    {/* @ts-expect-error: there is no such property */}
    <StreamViewer stream="keynote" />
    <stream-viewer stream-name="keynote" onstream-live={(event) => holds<Same<typeof event.streamName, string>>()} />
    <stream-viewer nohotkeys muted />
    <stream-broadcaster no-auto-open camera-off />
    {/* @ts-expect-error: a boolean attribute takes no text */}
    <stream-viewer nohotkeys="false" />
    {/* @ts-expect-error: a boolean attribute takes no text */}
    <stream-broadcaster no-auto-open="false" />
    {/* @ts-expect-error: there is no such codec */}
    <stream-broadcaster codec="h263" />
  </>
);
