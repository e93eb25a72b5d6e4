import { registerMessages } from '../elements/i18n/languages.js';
import { ar as viewer } from '../elements/i18n/viewer/messages/ar.js';
import { ar as broadcaster } from '../elements/i18n/broadcaster/messages/ar.js';
import { ar as rewind } from '../elements/i18n/rewind/messages/ar.js';

registerMessages('ar', { ...viewer, ...broadcaster, ...rewind });
