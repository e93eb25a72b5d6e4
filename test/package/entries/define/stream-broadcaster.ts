import 'streamgate/define/stream-broadcaster';
import { holds, type Same } from '../same.js';

const broadcaster = document.createElement('stream-broadcaster');
broadcaster.codec = 'vp9';
broadcaster.addEventListener('stream-live', (event) => holds<Same<typeof event.streamName, string>>());
broadcaster.addEventListener('stream-error', (event) => holds<Same<typeof event.error.retryable, boolean>>());
broadcaster.addEventListener('stream-viewer-count', (event) => holds<Same<typeof event.viewers, number>>());
// @ts-expect-error: an event of this name has no such field
broadcaster.addEventListener('stream-live', (event) => event.viewers);
// @ts-expect-error: there is no such codec
broadcaster.codec = 'h263';
// @ts-expect-error: the other tag is not registered here
document.querySelector('stream-viewer')!.streamName = 'keynote';
