import { registerMessages } from '../elements/i18n/languages.js';
import { de as viewer } from '../elements/i18n/viewer/messages/de.js';
import { de as broadcaster } from '../elements/i18n/broadcaster/messages/de.js';
import { de as rewind } from '../elements/i18n/rewind/messages/de.js';

registerMessages('de', { ...viewer, ...broadcaster, ...rewind });
