// Shows the API to people, and lets them try it. The file is complete: it loads nothing, from nowhere.
import 'openapi-explorer/dist/browser/openapi-explorer.min.js';

const explorer = document.createElement('openapi-explorer');
const settings: Readonly<Record<string, string>> = {
  'spec-url': '/api/openapi.json',
  // Calls go to the server that this page is of, whatever else it is called.
  'server-url': location.origin,
  'hide-server-selection': 'true',
  'primary-color': '#a81f2b',
  'secondary-color': '#ff9aa2',
  'nav-bg-color': '#15171c',
};
for (const [name, value] of Object.entries(settings)) explorer.setAttribute(name, value);
document.body.append(explorer);

// Browsers would offer what was written here to whoever comes next: an API secret, too.
explorer.addEventListener('input', (event) => {
  const [field] = event.composedPath();
  if (field instanceof HTMLInputElement) field.autocomplete = 'off';
});
