import { registerMessages, setDefaultEndpoint, type StreamLiveEvent, StreamViewerElement } from 'streamgate/elements';
import { holds, type Same } from './same.js';

class OwnViewer extends StreamViewerElement {}

setDefaultEndpoint('https://live.example.com');
registerMessages('nl', { watching: (count, shown) => `${shown} ${count === 1 ? 'kijker' : 'kijkers'}` });
const viewer = new OwnViewer();
viewer.addEventListener('stream-live', (event) => holds<Same<typeof event, StreamLiveEvent>>());
// @ts-expect-error: an event of this name has no such field
viewer.addEventListener('stream-live', (event) => event.viewers);
// @ts-expect-error: this entry registers no tag
document.querySelector('stream-viewer')!.streamName = 'keynote';
