import 'streamgate/define';
import { holds, type Same } from './same.js';

document
  .querySelector('stream-viewer')!
  .addEventListener('stream-waiting', (event) => holds<Same<typeof event.streamName, string>>());
document
  .querySelector('stream-broadcaster')!
  .addEventListener('stream-rejected', (event) => holds<Same<typeof event.message, string>>());
// @ts-expect-error: an event of this name has no such field
document.addEventListener('stream-viewer-count', (event) => event.streamName);
