import { registerMessages } from '../elements/i18n/languages.js';
import { es as viewer } from '../elements/i18n/viewer/messages/es.js';
import { es as broadcaster } from '../elements/i18n/broadcaster/messages/es.js';
import { es as rewind } from '../elements/i18n/rewind/messages/es.js';

registerMessages('es', { ...viewer, ...broadcaster, ...rewind });
