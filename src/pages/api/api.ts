// An interactive page of the API. The bundle is complete: it loads nothing from other servers.
import 'openapi-explorer/dist/browser/openapi-explorer.min.js';

const explorer = document.createElement('openapi-explorer');
const settings: Readonly<Record<string, string>> = {
  'spec-url': '/api/openapi.json',
  // Send calls to the origin of this page, also if the server has several names.
  'server-url': location.origin,
  'hide-server-selection': 'true',
  'primary-color': '#a81f2b',
  'secondary-color': '#ff9aa2',
  'nav-bg-color': '#15171c',
};
for (const [name, value] of Object.entries(settings)) explorer.setAttribute(name, value);
document.body.append(explorer);

// Otherwise the browser would suggest earlier input, such as an API secret, to the next person.
explorer.addEventListener('input', (event) => {
  const [field] = event.composedPath();
  if (field instanceof HTMLInputElement) field.autocomplete = 'off';
});
