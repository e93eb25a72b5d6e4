// Compiled, never run: what TypeScript knows of the tags on a page that imported `streamgate/define`.
import '../../src/define.js';
import type { CaptureError, StreamError } from '../../src/index.js';
import type {
  Messages,
  PictureHeight,
  StreamBroadcasterElement,
  StreamViewerElement,
  TokenContext,
} from '../../src/elements.js';
import { registerMessages } from '../../src/elements.js';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <_Fact extends true>(): void => {};

const viewer = document.createElement('stream-viewer');
const broadcaster = document.querySelector('stream-broadcaster')!;
holds<Same<typeof viewer, StreamViewerElement>>();
holds<Same<typeof broadcaster, StreamBroadcasterElement>>();

viewer.addEventListener('stream-live', ({ streamName }) => holds<Same<typeof streamName, string>>());
viewer.addEventListener('stream-ended', ({ streamName }) => holds<Same<typeof streamName, string>>());
viewer.addEventListener('stream-interrupted', ({ streamName }) => holds<Same<typeof streamName, string>>());
viewer.addEventListener('stream-ended', ({ declared }) => holds<Same<typeof declared, boolean>>());
viewer.addEventListener('stream-waiting', ({ streamName }) => holds<Same<typeof streamName, string>>());
viewer.addEventListener('stream-error', ({ error }) => holds<Same<typeof error, StreamError>>());
viewer.addEventListener('stream-viewer-count', ({ viewers }) => holds<Same<typeof viewers, number>>());
broadcaster.addEventListener('stream-rejected', ({ reason, message }) => {
  holds<Same<typeof message, string>>();
  if (reason === 'token_expired') viewer.retry();
  // @ts-expect-error: there is no such code
  if (reason === 'token_expred') viewer.retry();
});
// @ts-expect-error: there is no such code
viewer.addEventListener('stream-error', ({ error }) => error.code === 'unreachabel');
broadcaster.addEventListener('stream-recording-change', ({ recording }) => {
  if (recording.name !== 'unavailable' && recording.fault === 'disk_full') broadcaster.stop();
  // @ts-expect-error: there is no such code
  if (recording.name !== 'unavailable' && recording.fault === 'disc_full') broadcaster.stop();
});
broadcaster.addEventListener('stream-capture-error', ({ error }) => holds<Same<typeof error, CaptureError>>());
broadcaster.addEventListener('stream-microphone-change', ({ enabled, state }) => {
  holds<Same<typeof enabled, boolean>>();
  holds<Same<typeof state, 'closed' | 'opening' | 'open' | 'lost'>>();
});
broadcaster.addEventListener('stream-settings-change', ({ settings }) =>
  holds<Same<typeof settings.resolution, PictureHeight>>(),
);
holds<Same<ReturnType<typeof broadcaster.openCamera>, Promise<void>>>();
// @ts-expect-error: the devices can only be read
broadcaster.videoDevices = [];
document.addEventListener('stream-live', (event) => holds<Same<typeof event.streamName, string>>());

// @ts-expect-error: an event of this name has no such field
viewer.addEventListener('stream-live', (event) => event.viewers);

viewer.tokenProvider = async ({ streamName, reason }: TokenContext) => `${streamName} ${reason}`;
// @ts-expect-error: a provider gives a string
viewer.tokenProvider = async () => 42;

viewer.messages = { tapForSound: 'Turn it up', waiting: ['Soon', 'At eight.'] };
// @ts-expect-error: there is no such word
viewer.messages = { tapForSounds: 'Turn it up' };
registerMessages('nl', { watching: (count, shown) => `${shown} ${count === 1 ? 'kijker' : 'kijkers'}` });
holds<Same<Messages['dir'], 'ltr' | 'rtl'>>();

// @ts-expect-error: where it stands can only be read
viewer.phase = { name: 'idle' };
if (viewer.phase.name === 'live') holds<Same<typeof viewer.phase.media, MediaStream>>();
