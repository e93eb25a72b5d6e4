import { html, type TemplateResult } from 'lit';
import { encode } from 'uqr';

/** Modules of white that a reader needs around the code (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** The dark modules of the QR code as one SVG path. Each row is drawn as runs of dark modules. */
export function qrPath(value: string): { readonly path: string; readonly size: number } {
  const { data, size } = encode(value, { ecc: 'M', border: QUIET_ZONE });
  const runs = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => {
      if (!isDark || row[x - 1]) return [];
      const end = row.indexOf(false, x);
      const length = (end === -1 ? row.length : end) - x;
      return [`M${x} ${y}h${length}v1h-${length}z`];
    }),
  );
  return { path: runs.join(''), size };
}

/** A QR code, dark on white in both colour schemes, because some readers cannot read light on dark. */
export function qrCode(value: string, label: string): TemplateResult {
  const { path, size } = qrPath(value);
  return html`
    <svg class="qr" role="img" aria-label=${label} viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">
      <rect width=${size} height=${size} fill="#fff"></rect>
      <path d=${path} fill="#000"></path>
    </svg>
  `;
}
