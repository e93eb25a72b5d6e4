import { registerMessages } from '../elements/i18n/languages.js';
import { ja as viewer } from '../elements/i18n/viewer/messages/ja.js';
import { ja as broadcaster } from '../elements/i18n/broadcaster/messages/ja.js';
import { ja as rewind } from '../elements/i18n/rewind/messages/ja.js';

registerMessages('ja', { ...viewer, ...broadcaster, ...rewind });
