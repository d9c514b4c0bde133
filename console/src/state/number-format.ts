const grouped = new Intl.NumberFormat('en-GB');

export function formatNumber(value: number): string {
  return grouped.format(value);
}

/** 1 turn, 15 turns, 70 %. */
export function withUnit(value: number, unit: string): string {
  if (unit === '') return formatNumber(value);
  return `${formatNumber(value)} ${value === 1 ? unit.replace(/s$/, '') : unit}`;
}

/** 45 s, 2 min, 2 min 5 s. */
export function formatDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  if (minutes === 0) return `${rest} s`;
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
}
