const viewer = document.querySelector('stream-viewer');
const status = document.querySelector('#watch [role=status]');
const viewers = document.querySelector('#watch .viewers');

viewer.addEventListener('stream-waiting', () => (status.textContent = 'Waiting'));
viewer.addEventListener('stream-live', (event) => (status.textContent = `Live: ${event.streamName}`));
viewer.addEventListener('stream-ended', () => (status.textContent = 'Over'));
viewer.addEventListener('stream-error', (event) => (status.textContent = event.retrying ? 'Reconnecting' : 'Failed'));
viewer.addEventListener('stream-rejected', (event) => (status.textContent = `Refused: ${event.reason}`));
viewer.addEventListener('stream-viewer-count', (event) => (viewers.textContent = event.viewers));

/** A property: what stands in an attribute can be read by every script and extension. */
export function watch(streamName, token) {
  Object.assign(viewer, { streamName, token });
}
