import type { Chart } from './usage-charts.ts';

/** The numbers of a chart, unrounded, as spreadsheets read them. Times stay exact: ISO 8601, in UTC. */
export function chartCsv({ starts, series }: Chart): string {
  const head = ['start', ...series.map(({ key }) => key)];
  const rows = starts.map((start, index) => [start, ...series.map(({ values }) => String(values[index] ?? ''))]);
  return toCsv([head, ...rows]);
}

export function toCsv(rows: readonly (readonly string[])[]): string {
  return `${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

/** Quoted where it must be. A text that a spreadsheet would take for a formula is kept from being one. */
function cell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
