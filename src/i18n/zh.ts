import { registerMessages } from '../elements/i18n/languages.js';
import { zh as viewer } from '../elements/i18n/viewer/messages/zh.js';
import { zh as broadcaster } from '../elements/i18n/broadcaster/messages/zh.js';
import { zh as rewind } from '../elements/i18n/rewind/messages/zh.js';

registerMessages('zh', { ...viewer, ...broadcaster, ...rewind });
