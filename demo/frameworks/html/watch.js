const viewer = document.querySelector('stream-viewer');
const status = document.querySelector('#watch [role=status]');
const viewers = document.querySelector('#watch .viewers');

viewer.addEventListener('stream-waiting', () => (status.textContent = 'Waiting'));
viewer.addEventListener('stream-live', (event) => (status.textContent = `Live: ${event.streamName}`));
viewer.addEventListener('stream-ended', () => (status.textContent = 'Over'));
viewer.addEventListener('stream-error', (event) => (status.textContent = event.retrying ? 'Reconnecting' : 'Failed'));
viewer.addEventListener('stream-rejected', (event) => (status.textContent = `Refused: ${event.reason}`));
viewer.addEventListener('stream-viewer-count', (event) => (viewers.textContent = event.viewers));

/** Sets properties, because every script and extension can read an attribute. */
export function watch(streamName, token) {
  Object.assign(viewer, { streamName, token });
}
