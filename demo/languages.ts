/** The languages of the tags. Each but English is loaded when it is chosen. */
export const languages = {
  en: { name: 'English', load: async () => {} },
  ar: { name: 'العربية', load: () => import('../src/i18n/ar.js') },
  de: { name: 'Deutsch', load: () => import('../src/i18n/de.js') },
  es: { name: 'Español', load: () => import('../src/i18n/es.js') },
  fr: { name: 'Français', load: () => import('../src/i18n/fr.js') },
  ja: { name: '日本語', load: () => import('../src/i18n/ja.js') },
  zh: { name: '中文', load: () => import('../src/i18n/zh.js') },
};

export type Language = keyof typeof languages;

export const isLanguage = (value: string): value is Language => Object.hasOwn(languages, value);
