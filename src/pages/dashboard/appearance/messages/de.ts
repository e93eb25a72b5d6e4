// Generated from de.json by `npm run generate`. Do not edit.
import type { AppearanceMessages } from './appearance-messages.js';

export const de: AppearanceMessages = {
  appearance: 'Aussehen',
  purpose: 'Wie die Seiten für Zuschauer und Sender aussehen. Geteilte Links zeigen Namen und Logo.',
  name: 'Name',
  nameHint: 'Der Titel der Seiten, zum Beispiel der Name Ihrer Firma.',
  colors: { accent: 'Akzentfarbe', background: 'Hintergrundfarbe' },
  colorHints: {
    accent: 'Für das Live-Zeichen und für Knöpfe. Leer: die des Produkts.',
    background: 'Für die Seiten. Texte darauf sind schwarz oder weiß, je nachdem, was besser lesbar ist. Leer: die des Produkts.',
  },
  choose: (field) => `Auswählen: ${field}`,
  notAColor: 'Geben Sie eine Farbe wie #e5484d ein.',
  tooPale: (found, needed, nearest) => `Weißer Text ist darauf schwer lesbar: Kontrast ${found}, nötig ${needed}. Die nächste geeignete Farbe ist ${nearest}.`,
  save: 'Speichern',
  saved: 'Gespeichert. Die Seiten ändern sich innerhalb von zehn Sekunden.',
  reset: 'Zurücksetzen',
  wasReset: 'Die Seiten sehen wieder wie das Produkt aus.',
  logo: 'Logo',
  logoHint: 'Ein Bild als PNG, JPEG oder WebP. Große Bilder werden verkleinert.',
  noLogo: 'Es gibt kein Logo.',
  addLogo: 'Bild auswählen',
  replaceLogo: 'Anderes Bild auswählen',
  removeLogo: 'Logo entfernen',
  unreadableLogo: 'Diese Datei ist kein brauchbares Bild. Wählen Sie eine Datei als PNG, JPEG oder WebP.',
  preview: 'Vorschau',
  sampleText: 'Die Übertragung hat noch nicht begonnen.',
  sampleBadge: 'Live',
  sampleButton: 'Live gehen',
};
