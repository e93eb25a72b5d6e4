// The English messages of the tags, which are built in.
export { en as viewerMessages } from './viewer/messages/en.js';
export { en as broadcasterMessages } from './broadcaster/messages/en.js';
