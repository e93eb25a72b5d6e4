// Generated from de.json by `npm run generate`. Do not edit.
import type { RefusalReasons } from './refusal-reasons.js';

export const de: RefusalReasons = {
  token_missing: 'Es gab kein Token, und der Stream verlangt eines.',
  token_unknown: 'Das Token gibt es nicht.',
  token_wrong_kind: 'Das Token ist von der falschen Art: zum Zuschauen statt zum Senden oder umgekehrt.',
  token_disabled: 'Das Token ist deaktiviert.',
  token_expired: 'Das Token ist abgelaufen.',
  stream_not_permitted: 'Das Token ist für andere Streams.',
  stream_not_live: 'Noch war niemand live. Ohne Token warten Player und fragen wieder, wenn es beginnt.',
  stream_in_use: 'Jemand anderes hat diesen Stream gesendet.',
  origin_not_allowed: 'Das Token ist für andere Websites.',
  address_denied: 'Das Token lehnt diese Adresse ab.',
  address_not_allowed: 'Das Token ist für andere Adressen.',
  country_not_allowed: 'Das Token ist für andere Länder.',
  address_not_bound: 'Das Token ist schon an andere Adressen gebunden.',
  token_full: 'Mit dem Token haben schon so viele zugeschaut, wie es erlaubt.',
  account_full: 'Das Konto hatte schon so viele Sitzungen, wie der Betreiber erlaubt.',
};
