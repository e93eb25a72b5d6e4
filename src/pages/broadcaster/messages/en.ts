// Generated from en.json by `npm run generate`. Do not edit.
import { en as copy } from '../../messages/en.js';
import type { BroadcasterPageMessages } from './broadcaster-page-messages.js';

export const en: BroadcasterPageMessages = {
  incompleteLink: 'This link is incomplete',
  neededParts: 'A link for broadcasters has a stream name and a token:',
  createdBy: ['Create one in the ', 'dashboard', '.'],
  insecure: {
    title: 'The camera is not available here',
    cause: 'Browsers give a page the camera and the microphone only over https, or on localhost. This page was loaded over http.',
    next: ['Open it with https. ', 'How to set up https', ''],
  },
  dashboard: 'Dashboard',
  linkAfterStart: 'When you are live, the link for your viewers appears here.',
  refusedLink: 'You cannot go live with this link. Ask whoever sent it to you.',
  share: 'Share',
  viewerLink: 'Link for viewers',
  iframe: 'Frame for a website',
  tag: 'Tag for a website',
  privateStream: 'This stream is private: viewers need a link with a token.',
  createViewerLink: 'Create a link for viewers',
  askForLinks: 'It opens the dashboard in another tab, and you stay live here. If you have no login, ask whoever sent you this link.',
  language: 'Language',
  willBeRecorded: 'This broadcast will be recorded from its start. While you are live, you can stop the recording.',
  copy,
};
