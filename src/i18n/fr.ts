import { registerMessages } from '../elements/i18n/languages.js';
import { fr as viewer } from '../elements/i18n/viewer/messages/fr.js';
import { fr as broadcaster } from '../elements/i18n/broadcaster/messages/fr.js';
import { fr as rewind } from '../elements/i18n/rewind/messages/fr.js';

registerMessages('fr', { ...viewer, ...broadcaster, ...rewind });
