// Generated from en.json by `npm run generate`. Do not edit.
import type { QualityMessages } from './quality-messages.js';

export const en: QualityMessages = {
  experience: 'What viewers saw',
  nothing: 'No viewer reported in this time.',
  devices: {
    phone: 'Phone',
    tablet: 'Tablet',
    tv: 'TV',
    desktop: 'Computer',
    unknown: 'Unknown device',
  },
  freezes: (count, duration) => `Freezes: ${count} (${duration})`,
  pictureAfter: (duration) => `Picture after ${duration}`,
  frozen: 'Picture frozen',
  firstPicture: 'First picture',
  within: (median, p95) => `half within ${median}, 95 of 100 within ${p95}`,
  resolution: 'Resolution',
  roundTrip: 'Round trip',
  loss: 'Lost packets',
  worst: 'The worst five minutes',
  worstAt: (time, frozen, all, shownAll) => (all === 1 ? `${time}: the picture froze for ${frozen} of ${shownAll} viewer.` : `${time}: the picture froze for ${frozen} of ${shownAll} viewers.`),
  causes: {
    server_load: 'The server was overloaded: it sent viewers less, or too late. Give it less to do, or more cores.',
    broadcast: 'Most viewers had it without losing packets. Look at the upload of the broadcaster.',
    server_network: 'Most viewers lost packets. Look at the network of the server.',
    viewer_network: 'Few viewers lost packets, on their own way to the server.',
    viewer_device: 'Few viewers had it, without losing packets. Their devices were probably too slow.',
  },
};
