import 'streamgate/define/stream-viewer';
import { holds, type Same } from '../same.js';

const viewer = document.querySelector('stream-viewer')!;
viewer.streamName = 'keynote';
viewer.tokenProvider = async ({ streamName }) => streamName;
viewer.addEventListener('stream-live', (event) => holds<Same<typeof event.streamName, string>>());
viewer.addEventListener('stream-waiting', (event) => holds<Same<typeof event.streamName, string>>());
viewer.addEventListener('stream-rejected', (event) => holds<Same<typeof event.message, string>>());
viewer.addEventListener('stream-error', (event) => holds<Same<typeof event.error.retryable, boolean>>());
viewer.addEventListener('stream-viewer-count', (event) => holds<Same<typeof event.viewers, number>>());
// They bubble.
document.addEventListener('stream-ended', (event) => holds<Same<typeof event.streamName, string>>());
// @ts-expect-error: an event of this name has no such field
viewer.addEventListener('stream-live', (event) => event.viewers);
// @ts-expect-error: there is no such property
viewer.stream = 'keynote';
// @ts-expect-error: the other tag is not registered here
document.querySelector('stream-broadcaster')!.streamName = 'keynote';
