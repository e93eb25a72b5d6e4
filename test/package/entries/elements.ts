import {
  registerMessages,
  setDefaultEndpoint,
  type StreamBroadcasterElement,
  StreamViewerElement,
  type PictureHeight,
  type StreamLiveEvent,
  type VideoRendition,
} from 'streamgate/elements';
import { holds, type Same } from './same.js';

class OwnViewer extends StreamViewerElement {}

setDefaultEndpoint('https://live.example.com');
registerMessages('nl', { watching: (count, shown) => `${shown} ${count === 1 ? 'kijker' : 'kijkers'}` });
const viewer = new OwnViewer();
viewer.addEventListener('stream-live', (event) => holds<Same<typeof event, StreamLiveEvent>>());
// @ts-expect-error: an event of this name has no such field
viewer.addEventListener('stream-live', (event) => event.viewers);
holds<Same<typeof viewer.quality, PictureHeight>>();
holds<Same<StreamBroadcasterElement['resolution'], PictureHeight>>();
viewer.quality = 'auto';
// @ts-expect-error: a height is a number or `auto`
viewer.quality = 'high';
for (const rendition of viewer.videoRenditions) holds<Same<typeof rendition, VideoRendition>>();
// @ts-expect-error: this entry registers no tag
document.querySelector('stream-viewer')!.streamName = 'keynote';
