// Generated from en.json by `npm run generate`. Do not edit.
import { en } from './en.js';
import { ar } from './ar.js';
import { de } from './de.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { ja } from './ja.js';
import { zh } from './zh.js';
import type { NoticeMessages } from './notice-messages.js';

export const noticeMessages: Readonly<Record<string, NoticeMessages>> = { en, ar, de, es, fr, ja, zh };
