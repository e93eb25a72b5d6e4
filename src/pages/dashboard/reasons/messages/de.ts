import type { EndReasons, RefusalReasons } from './reason-messages.js';

export const refusalReasons: RefusalReasons = {
  token_missing: 'Es gab kein Token, und der Stream verlangt eines.',
  token_unknown: 'Das Token gibt es nicht.',
  token_wrong_kind: 'Das Token ist von der falschen Art: zum Zuschauen statt zum Senden oder umgekehrt.',
  token_disabled: 'Das Token ist deaktiviert.',
  token_expired: 'Das Token ist abgelaufen.',
  stream_not_permitted: 'Das Token ist für andere Streams.',
  stream_not_live: 'Niemand war live, und nur mit einem Token kann man warten.',
  stream_in_use: 'Jemand anderes hat diesen Stream gesendet.',
  origin_not_allowed: 'Das Token ist für andere Websites.',
  address_denied: 'Das Token lehnt diese Adresse ab.',
  address_not_allowed: 'Das Token ist für andere Adressen.',
  country_not_allowed: 'Das Token ist für andere Länder.',
  address_not_bound: 'Das Token ist schon an andere Adressen gebunden.',
  token_full: 'Mit dem Token haben schon so viele zugeschaut, wie es erlaubt.',
};

export const endReasons: EndReasons = {
  ...refusalReasons,
  left: 'Von selbst gegangen.',
  lost: 'Die Verbindung zum Gerät ist abgebrochen.',
  not_resumed: 'Die Verbindung ist abgebrochen, und das Gerät kam nicht rechtzeitig zurück.',
  not_connected: 'Bild und Ton konnten nicht verbunden werden.',
  b_frames: 'Der Encoder hat B-Frames gesendet. Stellen Sie B-Frames im Encoder auf 0.',
  codec_unsupported: 'Der Video-Codec des Encoders wird nicht unterstützt. Stellen Sie den Video-Encoder auf H.264.',
  nothing_to_publish: 'Der Encoder hat weder Bild noch Ton gesendet, die sich veröffentlichen lassen.',
  server_lost: 'Der Server wurde unerwartet beendet.',
  replaced: 'Dasselbe Gerät hat sich neu verbunden.',
  transport_lost: 'Bild und Ton kamen nicht mehr an.',
  media_engine_restarted: 'Der Medienserver wurde neu gestartet.',
  server_stopping: 'Der Server wurde angehalten.',
  stopped_by_owner: 'Jemand hat die Übertragung im Dashboard oder über die API beendet.',
  idle: 'Das Gerät hat sich verbunden und nichts verlangt.',
  displaced: 'Ein anderer Zuschauer hat den Platz eingenommen, den das Token erlaubt.',
  removed_by_owner: 'Jemand hat die Verbindung im Dashboard oder über die API getrennt.',
};
