import { paint } from './paint.js';

const broadcaster = document.querySelector('stream-broadcaster');
const status = document.querySelector('#broadcast [role=status]');

broadcaster.addEventListener('stream-live', (event) => (status.textContent = `Broadcasting: ${event.streamName}`));
broadcaster.addEventListener('stream-ended', () => (status.textContent = 'Not live'));
broadcaster.addEventListener(
  'stream-error',
  (event) => (status.textContent = event.retrying ? 'Reconnecting' : 'Failed'),
);
broadcaster.addEventListener('stream-rejected', (event) => (status.textContent = `Refused: ${event.reason}`));

export function broadcast(streamName, token) {
  broadcaster.srcObject ??= paint();
  Object.assign(broadcaster, { streamName, token });
}
