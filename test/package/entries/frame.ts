import { StreamFrame } from 'streamgate/frame';
import { holds, type Same } from './same.js';

const frame = new StreamFrame(document.createElement('iframe'));
frame.addEventListener('live', (event) => holds<Same<typeof event.message.streamName, string>>());
// @ts-expect-error: a message of this name has no such field
frame.addEventListener('live', (event) => event.message.volume);
