import { Broadcaster, type StreamError, Viewer } from 'streamgate';
import { holds, type Same } from './same.js';

const viewer = new Viewer();
viewer.start({ endpoint: 'https://live.example.com', accountId: 'main', streamName: 'keynote', token: 'sesame' });
if (viewer.phase.name === 'live') holds<Same<typeof viewer.phase.media, MediaStream>>();
if (viewer.phase.name === 'failed') holds<Same<typeof viewer.phase.error, StreamError>>();
// @ts-expect-error: there is no such phase
if (viewer.phase.name === 'playing') viewer.stop();
// @ts-expect-error: a broadcaster does not wait
if (new Broadcaster().phase.name === 'waiting') viewer.stop();
