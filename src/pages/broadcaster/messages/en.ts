import { copyWords } from '../../copy-field.js';
import type { BroadcasterPageMessages } from './broadcaster-page-messages.js';

export const en: BroadcasterPageMessages = {
  incompleteLink: 'This link is incomplete',
  streamAndToken: 'It should name a stream and hold a token:',
  makesOne: ['The ', 'dashboard', ' makes one with a click.'],
  dashboard: 'Dashboard',
  linkComes: 'Once you are live, the link for your viewers appears here.',
  share: 'Share',
  viewerLink: 'Link for viewers',
  frame: 'Frame for a website',
  tag: 'Tag for a website',
  privateStream: ['A private stream asks viewers for a token: make their links on the ', 'dashboard', '.'],
  copy: copyWords,
};
