import { paint } from './paint.js';

const broadcaster = document.querySelector('stream-broadcaster');
const status = document.querySelector('#broadcast [role=status]');

broadcaster.addEventListener('stream-live', (event) => (status.textContent = `On the air: ${event.streamName}`));
broadcaster.addEventListener('stream-ended', () => (status.textContent = 'Off the air'));

export function broadcast(streamName, token) {
  broadcaster.srcObject ??= paint();
  Object.assign(broadcaster, { streamName, token });
}
